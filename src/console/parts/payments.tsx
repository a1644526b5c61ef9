// The newest payments of an object, on its page.

import type { OwnedPayments } from '../../payments/anywhere/owned.ts'
import { pathWith } from '../query.ts'
import { TRANSACTIONS_PATH } from '../transactions/search.ts'
import { Amount, At, Id, personName, StatusWord, Table } from './shown.tsx'

/** The most rows of a table that is a part of a page. */
export const MOST_ON_A_PAGE = 10

interface PaymentsProps {
  readonly payments: OwnedPayments
  /** The id of the object. The search finds all of its payments by it. */
  readonly id: string
  /** `this customer` */
  readonly what: string
  readonly withCustomer?: boolean
}

export function Payments({ payments, id, what, withCustomer = false }: PaymentsProps) {
  const { rows, hasMore } = payments
  const heads = ['When (UTC)', 'Transaction', 'Type', 'Amount', 'Status', 'Method']
  return (
    <section class="stack" aria-labelledby="payments">
      <h2 id="payments">Payments</h2>
      <Table
        title="Payments"
        heads={withCustomer ? [...heads, 'Customer'] : heads}
        isEmpty={rows.length === 0}
        whenEmpty="There are no payments yet."
      >
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <At instant={row.createdAt} />
            </td>
            <td class="main">
              <Id id={row.id} to={`${TRANSACTIONS_PATH}/${row.accountId}/${row.id}`} />
            </td>
            <td>{row.type}</td>
            <td class="amount">
              <Amount cents={row.total} />
            </td>
            <td>
              <StatusWord status={row.parkedAt === null ? row.status : 'parked'} />{' '}
              {row.isVoided ? <span class="quiet">voided</span> : null}
            </td>
            <td>
              {row.method}{' '}
              {row.lastFour === null ? null : <span class="number">··{row.lastFour}</span>}
            </td>
            {withCustomer ? <td class="says">{personName(row.customer)}</td> : null}
          </tr>
        ))}
      </Table>
      {hasMore ? (
        <p>
          <a href={pathWith(TRANSACTIONS_PATH, {}, { q: id })}>All payments of {what}</a>
        </p>
      ) : null}
    </section>
  )
}
