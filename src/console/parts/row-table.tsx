// A table that declares its columns: what each of them shows of a row.

import type { ComponentChildren } from 'preact'
import { Below, type SortHead, Table, Value } from './shown.tsx'

export interface Column<Row> {
  readonly head: string
  readonly class?: string
  /** On a phone a row is a card of two lines. This cell begins it, and an amount stands beside. */
  readonly isMain?: boolean
  /** The card names a value that would say nothing by itself: by the head, or in fewer words. */
  readonly named?: true | string
  readonly cell: (row: Row) => ComponentChildren
  /** The second line of the cell. None if it is null. */
  readonly below?: (row: Row) => ComponentChildren
}

interface RowTableProps<Row> {
  /** The title of the table for screen readers. */
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Shown if there are no rows. */
  readonly whenEmpty?: string
  /** The heads of the columns, if some of them sort the rows. */
  readonly heads?: readonly (string | SortHead)[]
  /** Whether the instants of a row are those of a sandbox clock. */
  readonly hasOwnClock?: (row: Row) => boolean
}

interface TablePartProps<Row> extends Omit<RowTableProps<Row>, 'heads' | 'hasOwnClock'> {
  /** The id of the title. The table below it is a region with the same name. */
  readonly id: string
  /** Shown below the table. */
  readonly children?: ComponentChildren
}

/** A part of a page: a table under its title. */
export function TablePart<Row>({ id, children, ...table }: TablePartProps<Row>) {
  return (
    <div class="stack">
      <h2 id={id}>{table.title}</h2>
      <RowTable {...table} />
      {children}
    </div>
  )
}

export function RowTable<Row>(props: RowTableProps<Row>) {
  const { title, columns, rows, whenEmpty, heads, hasOwnClock } = props
  return (
    <Table
      title={title}
      heads={heads ?? columns.map(({ head }) => head)}
      figures={columns.flatMap((one) => (isOfFigures(one.class) ? [one.head] : []))}
      isEmpty={rows.length === 0}
      whenEmpty={whenEmpty}
      isOfCards={columns.some(({ isMain }) => isMain)}
    >
      {rows.map((row, i) => (
        <tr key={i} data-clock={hasOwnClock?.(row) ? 'sandbox' : undefined}>
          {columns.map(({ head, cell, below, isMain = false, named, class: kind }) => (
            <td
              key={head}
              class={isMain ? `main ${kind ?? ''}`.trim() : kind}
              data-head={named === true ? head : named}
            >
              <Value of={cell(row)} />
              <Below>{below?.(row)}</Below>
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}

/** Amounts and counts are compared from their ends. */
function isOfFigures(kind: string | undefined): boolean {
  return /\b(amount|count)\b/.test(kind ?? '')
}
