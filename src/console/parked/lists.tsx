// Payments and endpoints that need a person.

import { cleanText } from '../../core/redact.ts'
import type { ParkedPayment } from '../../operators/list-parked-payments.ts'
import type { Operator } from '../../operators/session.ts'
import { endpointPath } from '../endpoints/list.tsx'
import { ActionButton } from '../parts/action-form.tsx'
import { Amount, At, Id, Table, TeamAndMode } from '../parts/shown.tsx'
import type { StoppedEndpoint } from './read-parked.ts'

export function ParkedPayments({ rows }: { rows: readonly ParkedPayment[] }) {
  return (
    <Table
      title="Payments to review"
      heads={['Since (UTC)', 'Transaction', 'Team', 'Type', 'Amount', 'Card', 'Attempts', '']}
      isEmpty={rows.length === 0}
      whenEmpty="No payments to review."
    >
      {rows.map((row) => {
        const path = `/admin/transactions/${row.accountId}/${row.id}`
        return (
          <tr key={row.id}>
            <td>
              <At instant={row.parkedAt} />
            </td>
            <td class="main">
              <Id id={row.id} to={path} />
            </td>
            <td>
              <TeamAndMode team={row.teamName} mode={row.mode} />
            </td>
            <td>{row.type}</td>
            <td class="amount">
              <Amount cents={row.total} />
            </td>
            <td class="number">{row.lastFour === null ? '–' : `··${row.lastFour}`}</td>
            <td class="number" data-head="Attempts">
              {row.attempt}
            </td>
            <td>
              <a href={`${path}#decide`}>Review…</a>
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

interface EndpointsProps {
  readonly rows: readonly StoppedEndpoint[]
  readonly operator: Operator
}

export function StoppedEndpoints({ rows, operator }: EndpointsProps) {
  return (
    <Table
      title="Endpoints that take nothing"
      heads={['Since (UTC)', 'Endpoint', 'Team', 'Why', '']}
      isEmpty={rows.length === 0}
      whenEmpty="No endpoint is disabled, and none has failed for an hour."
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <td>
            <At instant={row.since} />
          </td>
          <td class="main wrap">
            <a href={endpointPath(row)}>{cleanText(row.targetUrl)}</a>
          </td>
          <td>
            <TeamAndMode team={row.teamName} mode={row.mode} />
          </td>
          <td class="wrap">{whyStopped(row)}</td>
          <td>
            {row.isDisabled ? (
              <ActionButton
                to={`${endpointPath(row)}/enable`}
                operator={operator}
                fields={{ from: 'parked' }}
                kind="plain small"
              >
                Enable endpoint
              </ActionButton>
            ) : null}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function whyStopped({ isDisabled, disabledReason }: StoppedEndpoint): string {
  if (!isDisabled) return 'Each delivery fails, and is tried again. After 5 days it is disabled.'
  return disabledReason ?? 'Disabled by the merchant or an operator'
}
