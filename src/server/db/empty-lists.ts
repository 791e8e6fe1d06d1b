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
export class FindingNothingOnSqlite extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const isFound = foundInEmptyList(node);
    if (isFound === undefined) super.visitBinaryOperation(node);
    else this.append(isFound ? '1 = 1' : '1 = 0');
  }
}

/** Compiles queries for PostgreSQL. */
export class FindingNothingOnPostgres extends PostgresQueryCompiler {
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
