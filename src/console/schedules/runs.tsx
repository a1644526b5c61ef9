// The runs of a schedule, each with its invoice and what was paid of it.

import type { FoundSchedule } from '../../schedules/list-anywhere.ts'
import type { PastRun } from '../../schedules/list-runs.ts'
import { Amount, At, Id, LocalAt, StatusWord, Table } from '../parts/shown.tsx'

const HEADS = ['Due', 'Invoice', 'State', 'Amount', 'Paid', 'Attempts', 'Next retry', 'Payment']

export function Runs({ of, runs }: { of: FoundSchedule; runs: readonly PastRun[] }) {
  return (
    <Table
      title="Runs so far"
      heads={HEADS}
      isEmpty={runs.length === 0}
      whenEmpty="It has not run yet."
    >
      {runs.map((run) => (
        <RunLine key={run.occursAt.getTime()} of={of} run={run} />
      ))}
    </Table>
  )
}

function RunLine({ of, run: { occursAt, invoice } }: { of: FoundSchedule; run: PastRun }) {
  const due = <LocalAt instant={occursAt} zone={of.timezone} />
  if (invoice === undefined) {
    return (
      <tr>
        <td>{due}</td>
        <td colSpan={HEADS.length - 1}>
          <span class="quiet">missed, and skipped</span>
        </td>
      </tr>
    )
  }
  const { paymentId } = invoice
  return (
    <tr>
      <td>{due}</td>
      <td>
        <Id id={invoice.id} />
      </td>
      <td>
        <StatusWord status={invoice.status} />
      </td>
      <td class="amount">
        <Amount cents={invoice.total} />
      </td>
      <td class="amount">
        <Amount cents={invoice.totalPaid} />
      </td>
      <td class="number">{invoice.tries}</td>
      <td>
        <At instant={invoice.retryAt} />
      </td>
      <td>
        {paymentId === null ? (
          <span class="quiet">–</span>
        ) : (
          <Id id={paymentId} to={`/admin/transactions/${of.accountId}/${paymentId}`} />
        )}
      </td>
    </tr>
  )
}
