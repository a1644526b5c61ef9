// Payments and endpoints that need a person.

import { counted } from '../../core/counts.ts'
import { cleanText } from '../../core/redact.ts'
import { listParkedPayments, type ParkedPayment } from '../../operators/list-parked-payments.ts'
import { longFailing, TAKES_NOTHING } from '../../upkeep/due-by-kind.ts'
import type { World } from '../../world.ts'
import { ActionButton } from '../parts/action-form.tsx'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { TEAM_COLUMN } from '../parts/rows-of-teams.tsx'
import { Id } from '../parts/shown.tsx'
import { endpointPath, PARKED_PATH, transactionPath } from '../paths.ts'

export const ASK_ALL_PATH = `${PARKED_PATH}/payments/ask`

const MOST_SHOWN = 100

/** All parked payments count, also those that the page does not show. */
export async function parkedPayments(world: World, count: number) {
  // Those that are parked later have not been seen.
  const asOf = world.clock.now()
  const rows = await listParkedPayments(world, MOST_SHOWN)
  return (
    <>
      {rows.length === 0 ? null : (
        <section class="card row" aria-label="All payments to review">
          <p>
            If the gateway could not be asked for a while, ask it about all of them: it may know
            most of them now.
          </p>
          <ActionButton
            to={ASK_ALL_PATH}
            asks={`Ask the gateway about ${counted(count, 'payment')}?`}
            fields={{ until: asOf.toISOString() }}
            kind="plain"
          >
            Ask about all again
          </ActionButton>
        </section>
      )}
      <RowTable
        title="Payments to review"
        columns={PAYMENT_COLUMNS}
        rows={rows}
        whenEmpty="No payments to review."
      />
    </>
  )
}

const PAYMENT_COLUMNS: readonly Column<ParkedPayment>[] = [
  { head: 'Since (UTC)', cell: (row) => row.parkedAt },
  {
    head: 'Transaction',
    isMain: true,
    cell: (row) => <Id id={row.id} to={transactionPath(row)} />,
  },
  TEAM_COLUMN,
  { head: 'Type', cell: (row) => row.type },
  { head: 'Amount', class: 'amount', cell: (row) => row.total },
  { head: 'Card', class: 'number', cell: ({ lastFour }) => lastFour && `··${lastFour}` },
  { head: 'Attempts', class: 'number', named: true, cell: (row) => row.attempt },
  { head: '', cell: (row) => <a href={`${transactionPath(row)}#decide`}>Review…</a> },
]

/** It is disabled, or has failed for long. */
interface StoppedEndpoint {
  readonly accountId: string
  readonly id: string
  readonly targetUrl: string
  readonly isDisabled: boolean
  readonly disabledReason: string | null
  readonly since: Date
  readonly teamName: string
  readonly mode: string
}

/** Endpoints are few, and their index begins with the account. Named as in `StoppedEndpoint`. */
const STOPPED = `
  SELECT w.account_id AS "accountId", w.id, w.target_url AS "targetUrl",
    w.status = 'disabled' AS "isDisabled", w.disabled_reason AS "disabledReason", w.since,
    b.name AS "teamName", a.mode
  FROM account a
  JOIN team b ON b.id = a.team_id
  CROSS JOIN LATERAL (
    SELECT *, CASE status WHEN 'disabled' THEN updated_at ELSE failing_since END AS since
    FROM webhook
    WHERE account_id = a.id AND deleted_at IS NULL AND ${TAKES_NOTHING} OFFSET 0
  ) w
  ORDER BY w.since DESC, w.id
  LIMIT ${MOST_SHOWN}`

async function stoppedEndpoints(world: World): Promise<readonly StoppedEndpoint[]> {
  return (await world.db.query(STOPPED, [longFailing(world)])) as readonly StoppedEndpoint[]
}

export async function endpointsThatTakeNothing(world: World) {
  const enable = (row: StoppedEndpoint) =>
    row.isDisabled ? (
      <ActionButton
        to={`${endpointPath(row)}/enable`}
        fields={{ from: 'parked' }}
        kind="plain small"
      >
        Enable endpoint
      </ActionButton>
    ) : undefined
  return (
    <RowTable
      title="Endpoints that take nothing"
      columns={[...ENDPOINT_COLUMNS, { head: '', cell: enable }]}
      rows={await stoppedEndpoints(world)}
      whenEmpty="No endpoint is disabled, and none has failed for an hour."
    />
  )
}

const ENDPOINT_COLUMNS: readonly Column<StoppedEndpoint>[] = [
  { head: 'Since (UTC)', cell: (row) => row.since },
  {
    head: 'Endpoint',
    class: 'wrap',
    isMain: true,
    cell: (row) => <a href={endpointPath(row)}>{cleanText(row.targetUrl)}</a>,
  },
  TEAM_COLUMN,
  { head: 'Why', class: 'wrap', cell: (row) => whyStopped(row) },
]

function whyStopped({ isDisabled, disabledReason }: StoppedEndpoint): string {
  if (!isDisabled) return 'Each delivery fails, and is tried again. After 5 days it is disabled.'
  return disabledReason ?? 'Disabled by the merchant or an operator'
}
