import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SqliteQueryCompiler,
  ValueListNode,
} from 'kysely';

// An empty `in ()` is an error on PostgreSQL; with this it finds nothing, and `not in ()` everything, on both
// engines.
// A plugin would copy every query before it is compiled.

/** Compiles queries for SQLite. */
export class CompilerForSqlite extends SqliteQueryCompiler {
  // SQLite plans a join for the value bound to a plain `?`, and plans again for each new value: parsing the
  // statement again took several times as long as running it. A unary plus changes no value and hides it from
  // the planner. So a partial index is only found by a condition written as a literal, not by a bound value.
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const isFound = foundInEmptyList(node);
    if (isFound === undefined) super.visitBinaryOperation(node);
    else this.append(isFound ? '1 = 1' : '1 = 0');
  }
}

/** Compiles queries for PostgreSQL. */
export class CompilerForPostgres extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const isFound = foundInEmptyList(node);
    if (isFound === undefined) super.visitBinaryOperation(node);
    else this.append(isFound ? '1 = 1' : '1 = 0');
  }
}

function foundInEmptyList({ operator, rightOperand }: BinaryOperationNode): boolean | undefined {
  if (!PrimitiveValueListNode.is(rightOperand) && !ValueListNode.is(rightOperand)) return undefined;
  if (rightOperand.values.length > 0 || !OperatorNode.is(operator)) return undefined;
  if (operator.operator === 'not in') return true;
  return operator.operator === 'in' ? false : undefined;
}
