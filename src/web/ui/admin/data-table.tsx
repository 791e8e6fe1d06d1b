import { ArrowDown, ArrowUp, Check, Minus } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useIsWide } from '../use-media.ts';
import { PLAIN_ROWS, splitForRendering, VirtualList } from '../virtual-list.tsx';

export type Column<Row> = Readonly<{
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** The full content, shown where there is room for it. */
  whole?: (row: Row) => ReactNode;
  /** The main column. On phones it is the card's heading. */
  isMain?: boolean;
  /** A right-aligned column of numbers. */
  isNumber?: boolean;
  /** Has no label on phones, because the value explains itself. */
  isPlain?: boolean;
  /** On phones it goes at the end of the card's heading, such as a button. */
  isAction?: boolean;
  /** Leaves room for a second button at the end of the heading. */
  isTwoActions?: boolean;
  /** Hidden on medium-wide screens. */
  isExtra?: boolean;
  /** Shown below the main column if the table has no room for it. */
  isBelow?: boolean;
  /** Makes the column sortable: the current order, and what pressing its heading does. */
  sort?: Readonly<{ order: 'asc' | 'desc' | undefined; onPress: () => void }>;
}>;

type Row = Readonly<{ id: number }>;

/** The selected rows. The checkbox in the header selects all rows of the table. */
export type Selection<R extends Row> = Readonly<{
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
  allLabel: string;
  rowLabel: (row: R) => string;
}>;

type DataTableProps<R extends Row> = {
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  selection?: Selection<R>;
  /** 44 px rows instead of 52 px, for long lists of short values. */
  isDense?: boolean;
  /** False if something else is printed in its place. */
  isOnPaper?: boolean;
  /** Rendered instead of a row, such as Undo for a deleted one. */
  instead?: (row: R) => ReactNode | undefined;
};

/** A table with more columns hides its extra ones on wider screens too. */
const MAX_COLUMNS = 8;
/** Number of rows that are rendered and removed together. */
const CHUNK = 5;
/** Estimated row heights: a card, and a line. */
const HEIGHTS = { narrow: 160, wide: 52, dense: 44 } as const;

/**
 * A plain table. On phones, and where large text leaves no room, each row is a card with its values below its name.
 * Long lists are virtualized.
 */
export function DataTable<R extends Row>(props: DataTableProps<R>) {
  const { label, columns, rows, selection, isDense = false, isOnPaper = true, instead } = props;
  const isCrowded = columns.length > MAX_COLUMNS;
  const beside = columns.some(({ isTwoActions }) => isTwoActions === true) ? 2 : 1;
  const parts = useMemo(() => splitForRendering(rows, CHUNK), [rows]);
  const isWide = useIsWide();
  // Otherwise the column widths would follow the rendered rows and shift while scrolling.
  const isFixed = rows.length > PLAIN_ROWS;
  const height = isWide ? HEIGHTS[isDense ? 'dense' : 'wide'] : HEIGHTS.narrow;
  return (
    <div className="@container">
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className={`w-full border-separate border-spacing-0 text-dense @max-xl:block @xl:rounded-card border-line @xl:border @xl:bg-card ${isFixed ? 'table-fixed wrap-anywhere' : ''}`}
      >
        <thead className="@max-xl:hidden">
          <tr aria-rowindex={1}>
            {selection !== undefined && (
              <th className={`${HEAD} w-10 rounded-tl-card pr-0 pl-3`}>
                <AllBox rows={rows} selection={selection} />
              </th>
            )}
            {columns.map(({ key, title, isMain, isNumber, isAction, isExtra, sort }) => (
              <th
                key={key}
                scope="col"
                aria-sort={sort?.order && (sort.order === 'asc' ? 'ascending' : 'descending')}
                className={`${HEAD} first:rounded-tl-card last:rounded-tr-card ${isNumber === true ? 'text-right' : 'text-left'} ${isExtra === true ? (isCrowded ? '@max-[66rem]:hidden' : '@max-[62rem]:hidden') : ''} ${isMain === true && isFixed ? 'w-1/4' : ''} ${isAction === true ? (beside === 2 ? 'w-24' : 'w-12') : ''}`}
              >
                {isAction === true ? (
                  <span className="sr-only">{title}</span>
                ) : sort === undefined ? (
                  title
                ) : (
                  <SortButton title={title} isNumber={isNumber === true} {...sort} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <VirtualList
          as="tbody"
          className="@max-xl:flex flex-col gap-2 pb-2"
          items={parts}
          rows={rows.length}
          heightOf={(part) => part.length * height}
          // A row's replacement may take the focus when it appears.
          stays={(part) => instead !== undefined && part.some((row) => instead(row) !== undefined)}
          isOnPaper={isOnPaper}
        >
          {(part, place) =>
            part.map((row, at) => (
              <TableRow
                key={row.id}
                row={row}
                index={place * CHUNK + at}
                isLast={place * CHUNK + at === rows.length - 1}
                columns={columns}
                beside={beside}
                isDense={isDense}
                isCrowded={isCrowded}
                selection={selection}
                instead={instead?.(row)}
              />
            ))
          }
        </VirtualList>
      </table>
    </div>
  );
}

type TableRowProps<R extends Row> = Required<Pick<DataTableProps<R>, 'columns' | 'isDense'>> & {
  row: R;
  /** Its index among all rows, from 0. */
  index: number;
  isLast: boolean;
  beside: 1 | 2;
  isCrowded: boolean;
  selection: Selection<R> | undefined;
  /** Rendered instead of the row. */
  instead: ReactNode | undefined;
};

function TableRow<R extends Row>(props: TableRowProps<R>) {
  const { row, index, isLast, columns, beside, isDense, isCrowded, selection, instead } = props;
  if (instead !== undefined) {
    return (
      <tr
        aria-rowindex={index + 2}
        className="@max-xl:block @max-xl:rounded-card border border-line @max-xl:bg-card px-4"
      >
        <td
          colSpan={columns.length + (selection === undefined ? 0 : 1)}
          className={`${CELL} ${LINE} @max-xl:block`}
        >
          {instead}
        </td>
      </tr>
    );
  }
  const cell = isLast ? CELL : `${CELL} ${LINE}`;
  return (
    <tr
      aria-rowindex={index + 2}
      className={`group relative transition-colors @max-xl:flex @max-xl:min-h-14 flex-wrap items-center gap-x-3 @max-xl:rounded-card border border-line @max-xl:bg-card px-4 py-2 @xl:hover:bg-page has-checked:bg-wash! ${isDense ? '@xl:h-11' : '@xl:h-13'}`}
    >
      {selection !== undefined && (
        <td className={`${cell} order-first @xl:w-10 @xl:pr-0 @xl:pl-3`}>
          <RowBox row={row} selection={selection} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} className={`${cell} ${cellClasses(column, { beside, isCrowded })}`}>
          {!isBare(column) && <span className="text-soft @xl:hidden">{column.title} </span>}
          {column.cell(row)}
          {column.isMain === true && <Below columns={columns} row={row} isCrowded={isCrowded} />}
        </td>
      ))}
    </tr>
  );
}

// Values that have no column of their own in a medium-wide table.
function Below<R extends Row>({
  columns,
  row,
  isCrowded,
}: Pick<TableRowProps<R>, 'columns' | 'row' | 'isCrowded'>) {
  const below = columns.filter(({ isBelow }) => isBelow === true);
  if (below.length === 0) return null;
  return (
    <span
      className={`hidden flex-wrap gap-x-3 pb-1.5 text-sm ${isCrowded ? '@xl:@max-[66rem]:flex' : '@xl:@max-[62rem]:flex'}`}
    >
      {below.map((column) => (
        <span key={column.key} className="min-w-0 empty:hidden">
          {!isBare(column) && <span className="text-soft">{column.title} </span>}
          {column.cell(row)}
        </span>
      ))}
    </span>
  );
}

type SortButtonProps = Pick<Column<never>, 'title' | 'isNumber'> & NonNullable<Column<never>['sort']>;

function SortButton({ title, isNumber = false, order, onPress }: SortButtonProps) {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown;
  const arrow = (
    <Arrow
      aria-hidden="true"
      className={`size-3.5 ${order === undefined ? 'opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100' : 'text-ink'}`}
    />
  );
  return (
    <button
      type="button"
      className="group/sort inline-flex min-h-11 items-center gap-1 rounded-md hover:text-ink"
      onClick={onPress}
    >
      {/* Right-aligned, so numbers end where their title ends. */}
      {isNumber && arrow}
      <span className={order === undefined ? '' : 'text-ink'}>{title}</span>
      {!isNumber && arrow}
    </button>
  );
}

// Classes without @xl or @max-xl have no effect on real table rows and cells.
const HEAD =
  'sticky top-0 z-2 h-11 border-b border-line bg-card px-3 text-sm font-medium whitespace-nowrap text-soft first:pl-5 last:pr-5';
const CELL =
  'border-line @max-xl:max-w-full @max-xl:wrap-anywhere @max-xl:empty:hidden @xl:px-3 @xl:py-1 @xl:first:pl-5 @xl:last:pr-5';
/** A border below every row but the last. */
const LINE = '@xl:border-b';

function isBare({ isMain, isPlain, isAction }: Omit<Column<never>, 'cell'>): boolean {
  return isMain === true || isPlain === true || isAction === true;
}

/** `beside` is the number of buttons at the end of the heading. */
function cellClasses(
  { isMain, isNumber, isAction, isExtra }: Omit<Column<never>, 'cell'>,
  { beside, isCrowded }: { beside: 1 | 2; isCrowded: boolean },
): string {
  const basis = beside === 2 ? 'basis-[calc(100%-6.5rem)]' : 'basis-[calc(100%-4rem)]';
  const place = isMain === true ? `order-1 min-w-0 flex-1 ${basis}` : '';
  const width = beside === 2 ? '@xl:w-24' : '@xl:w-12';
  const action = isAction === true ? `relative z-1 order-2 -mr-2.5 ${width} @xl:pr-2!` : '';
  const rest = isMain === true || isAction === true ? '' : 'order-3';
  const number = isNumber === true ? 'figures @xl:text-right' : '';
  const extra = isCrowded ? '@xl:@max-[66rem]:hidden' : '@xl:@max-[62rem]:hidden';
  return `${place} ${action} ${rest} ${number} ${isExtra === true ? extra : ''}`;
}

function RowBox<R extends Row>({ row, selection }: { row: R; selection: Selection<R> }) {
  const { chosen, onChange, rowLabel } = selection;
  return (
    <Box
      label={rowLabel(row)}
      isChecked={chosen.has(row.id)}
      onChange={(isChecked) => {
        const next = new Set(chosen);
        if (isChecked) next.add(row.id);
        else next.delete(row.id);
        onChange(next);
      }}
    />
  );
}

/** Selects or deselects all rows of the table. */
function AllBox<R extends Row>({ rows, selection }: { rows: readonly R[]; selection: Selection<R> }) {
  const { chosen, onChange, allLabel } = selection;
  const count = rows.filter(({ id }) => chosen.has(id)).length;
  return (
    <Box
      label={allLabel}
      isChecked={count > 0 && count === rows.length}
      isPartly={count > 0 && count < rows.length}
      onChange={(isChecked) => onChange(new Set(isChecked ? rows.map(({ id }) => id) : []))}
    />
  );
}

type BoxProps = {
  label: string;
  isChecked: boolean;
  isPartly?: boolean;
  onChange: (isChecked: boolean) => void;
};

function Box({ label, isChecked, isPartly = false, onChange }: BoxProps) {
  return (
    <label className="relative z-1 -mx-3 flex size-11 cursor-pointer items-center justify-center">
      <input
        ref={(input) => {
          if (input !== null) input.indeterminate = isPartly;
        }}
        type="checkbox"
        aria-label={label}
        className="peer size-5 appearance-none rounded-md border border-field bg-card transition-colors checked:border-brand checked:bg-brand indeterminate:border-brand indeterminate:bg-brand forced-colors:appearance-auto"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="pointer-events-none absolute hidden text-on-brand peer-checked:block peer-indeterminate:block forced-colors:hidden!">
        {isPartly ? (
          <Minus aria-hidden="true" strokeWidth={3} className="size-3.5" />
        ) : (
          <Check aria-hidden="true" strokeWidth={3} className="size-3.5" />
        )}
      </span>
    </label>
  );
}

/** A row's name. Pressing it opens the row, and so does a click anywhere on the row. */
export function RowName({ children, onPress }: { children: ReactNode; onPress: () => void }) {
  return (
    <button
      type="button"
      className="inline-flex min-h-11 max-w-full items-center @xl:max-w-80 @xl:min-w-36 gap-2.5 rounded-lg text-left font-medium wrap-anywhere text-brand underline decoration-transparent underline-offset-4 after:absolute after:inset-0 group-hover:decoration-current @max-xl:text-base"
      onClick={(event) => {
        event.currentTarget.focus({ preventScroll: true });
        onPress();
      }}
    >
      {children}
    </button>
  );
}
