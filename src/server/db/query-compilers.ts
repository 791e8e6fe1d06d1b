import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SqliteQueryCompiler,
  ValueListNode,
} from 'kysely';

// An empty `in ()` is an error on PostgreSQL; with this it finds nothing, and `not in ()` everything, on both engines.
// As a plugin it would copy every query before it is compiled.

/** Compiles queries for SQLite. */
export class CompilerForSqlite extends SqliteQueryCompiler {
  // SQLite plans a join for the very value that a plain `?` has, and anew each time another one is bound: parsing the
  // whole statement again took several times as long as running it. A plus changes no value, and hides it from the plan.
  // So a partial index is found by a condition that stands in the statement itself, not by a bound value.
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
