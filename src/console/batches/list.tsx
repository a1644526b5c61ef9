// A list of batches of a day or a month.

import { grouped } from '../../core/counts.ts'
import { dateText } from '../../core/whole-days.ts'
import { latenessMs, type OperatorsBatch } from '../../settlement/month-of-batches.ts'
import { spanText } from '../now/wording.ts'
import { Amount, LongLink, localMinuteText, StatusWord, spaced, Table } from '../parts/shown.tsx'
import { BATCHES_PATH } from './month-request.ts'

const HEADS = ['Day', 'Team', 'State', 'Payments', 'Sales', 'Refunds', 'Net', 'Cutoff']

export function BatchList({ batches }: { batches: readonly OperatorsBatch[] }) {
  return (
    <Table
      title="Batches"
      heads={HEADS}
      isEmpty={batches.length === 0}
      whenEmpty="No batches on these days. The first payment of a day opens one."
    >
      {batches.map((batch) => (
        <BatchLine key={batch.row.id} batch={batch} />
      ))}
    </Table>
  )
}

function BatchLine({ batch }: { batch: OperatorsBatch }) {
  const { row, sums, teamId, teamName } = batch
  const date = dateText(row.businessDate)
  // A batch without transactions will be deleted at its closing, so it has no page.
  const isShown = row.status === 'closed' || sums.count > 0
  return (
    <tr>
      <td class="main number">
        {isShown ? <a href={`${BATCHES_PATH}/${row.accountId}/${row.id}`}>{date}</a> : date}
      </td>
      <td>
        <LongLink to={`/admin/teams/${teamId}`} text={teamName} />
      </td>
      <td>
        <BatchState of={batch} />
      </td>
      <td class="number amount" data-head="Payments">
        {grouped(sums.count)}
      </td>
      <td class="amount" data-head="Sales">
        <Amount cents={sums.sales} />
      </td>
      <td class="amount" data-head="Refunds">
        <Amount cents={sums.refunds} />
      </td>
      <td class="amount" data-head="Net">
        <Amount cents={sums.sales - sums.refunds} />
      </td>
      <td data-head="Cutoff">
        <span class="number">{localMinuteText(row.cutoffAt, row.timezone).slice(11)}</span>{' '}
        <span class="quiet">{spaced(row.timezone)}</span>
      </td>
    </tr>
  )
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
