// A list of batches of a day or a month.

import { grouped } from '../../core/counts.ts'
import { dateText } from '../../core/whole-days.ts'
import { latenessMs, type OperatorsBatch } from '../../settlement/month-of-batches.ts'
import { spanText } from '../now/wording.ts'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { LongLink, localMinuteText, StatusWord, spaced } from '../parts/shown.tsx'
import { batchPath, teamPath } from '../paths.ts'

export function BatchList({ batches }: { batches: readonly OperatorsBatch[] }) {
  return (
    <RowTable
      title="Batches"
      columns={COLUMNS}
      rows={batches}
      whenEmpty="No batches on these days. The first payment of a day opens one."
    />
  )
}

const COLUMNS: readonly Column<OperatorsBatch>[] = [
  { head: 'Day', class: 'number', isMain: true, cell: (batch) => <BatchDay of={batch} /> },
  {
    head: 'Team',
    cell: ({ teamId, teamName }) => <LongLink to={teamPath(teamId)} text={teamName} />,
  },
  { head: 'State', cell: (batch) => <BatchState of={batch} /> },
  {
    head: 'Sales and refunds',
    class: 'number amount',
    named: true,
    cell: ({ sums }) => grouped(sums.count),
  },
  { head: 'Sales', class: 'amount', named: true, cell: ({ sums }) => sums.sales },
  { head: 'Refunds', class: 'amount', named: true, cell: ({ sums }) => sums.refunds },
  { head: 'Net', class: 'amount', named: true, cell: ({ sums }) => sums.sales - sums.refunds },
  {
    head: 'Cutoff',
    named: true,
    cell: ({ row: { cutoffAt, timezone } }) => (
      <>
        <span class="number">{localMinuteText(cutoffAt, timezone).slice(11)}</span>{' '}
        <span class="quiet">{spaced(timezone)}</span>
      </>
    ),
  },
]

/** A batch without transactions will be deleted at its closing, so it has no page. */
function BatchDay({ of: { row, sums } }: { of: OperatorsBatch }) {
  const date = dateText(row.businessDate)
  const isShown = row.status === 'closed' || sums.count > 0
  return isShown ? <a href={batchPath(row)}>{date}</a> : date
}

export function BatchState({ of }: { of: Pick<OperatorsBatch, 'row' | 'now'> }) {
  const lateMs = latenessMs(of)
  return (
    <>
      <StatusWord status={of.row.status} />{' '}
      {lateMs === undefined ? null : <span class="word bad">{spanText(lateMs)} late</span>}
    </>
  )
}
