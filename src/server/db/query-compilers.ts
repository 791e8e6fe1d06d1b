import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SqliteQueryCompiler,
  ValueListNode,
} from 'kysely';

// An empty `in ()` is an error on PostgreSQL. Here it matches nothing, and `not in ()` everything, on both engines. Kysely's
// plugin for that copies every query first, which took 1.12 times the CPU for a profile and 1.2 times for a new entry.

/** Compiles queries for SQLite. */
export class CompilerForSqlite extends SqliteQueryCompiler {
  // SQLite plans a join for the value bound to a plain `?` and re-parses the statement for each other value, which took 2.5
  // times the CPU for a profile and 1.4 to 1.8 times for lists and writes. A unary plus does not change the value and hides it
  // from the planner. As a result, a partial index is only used for a condition written as a literal, not for a bound value.
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
