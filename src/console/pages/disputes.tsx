// Disputes of all teams, the newest first, with what the merchant must do by when.

import type { ComponentChildren } from 'preact'
import { DISPUTE_STATUSES } from '../../core/dispute.ts'
import { dateText } from '../../core/whole-days.ts'
import type { RowOwner } from '../../db/newest-anywhere.ts'
import type { Dispute } from '../../generated/client.ts'
import { DISPUTE_ROWS } from '../../payments/afterwards/dispute.ts'
import type { World } from '../../world.ts'
import type { ListPage } from '../parts/list-page.tsx'
import { newestOf, OWNER_COLUMNS, TEAM_COLUMN, TEAM_FILTER } from '../parts/rows-of-teams.tsx'
import { Id, StatusWord, spaced } from '../parts/shown.tsx'
import { DISPUTES_PATH, transactionPath } from '../paths.ts'
import { choiceOf } from '../query.ts'

const TO_ANSWER = 'to_answer'

/** The list of those that a merchant can answer. */
export const DISPUTES_TO_ANSWER = `${DISPUTES_PATH}?status=${TO_ANSWER}`

type ShownDispute = Dispute & RowOwner

export function disputeList({ config }: World): ListPage<ShownDispute> {
  const isTest = config.stripe?.isTest === true
  return {
    title: 'Disputes',
    place: 'disputes',
    intro: () =>
      'Payments that payers contest at their banks. Only the merchant can answer, in the gateway’s dashboard.',
    filters: [
      {
        kind: 'choice',
        name: 'status',
        label: 'State',
        choices: [
          [TO_ANSWER, 'to answer'],
          ...DISPUTE_STATUSES.map((status) => [status, spaced(status)] as const),
        ],
      },
      TEAM_FILTER,
    ],
    columns: [
      { head: 'Opened (UTC)', cell: (row) => row.openedAt },
      {
        head: 'Payment',
        cell: (row) => (
          <Id
            id={row.transactionId}
            to={transactionPath({ accountId: row.accountId, id: row.transactionId })}
          />
        ),
      },
      TEAM_COLUMN,
      { head: 'Amount', class: 'amount', cell: (row) => row.amount },
      { head: 'Reason', isMain: true, cell: (row) => spaced(row.reason) },
      { head: 'State', cell: (row) => <StatusWord status={row.status} /> },
      { head: 'To do', cell: (row) => toDo(row, isTest) },
    ],
    isInAccountTime: true,
    whenEmpty: 'There are no disputes.',
    file: [
      'id',
      'opened_at',
      ...OWNER_COLUMNS,
      'transaction_id',
      'amount',
      'currency',
      'reason',
      'status',
      'respond_by',
      'closed_at',
    ],
    find: newestOf(DISPUTE_ROWS, (query) => {
      const status = choiceOf(query, 'status', DISPUTE_STATUSES)
      const to_answer = query.status === TO_ANSWER ? true : undefined
      // Those in a state have no index; those to answer have one.
      return { asked: { status, to_answer }, isIndexed: status === undefined }
    }),
  }
}

function toDo(row: Dispute, isTest: boolean): ComponentChildren {
  const url = dashboardUrl(row, isTest)
  const words = todoWords(row)
  return url === undefined ? words : <a href={url}>{words}</a>
}

export function todoWords({ closedAt, respondBy }: Dispute): string {
  if (closedAt !== null) return 'Nothing'
  return respondBy === null ? 'Wait for the bank' : `Answer by ${dateText(respondBy)}`
}

/** The page of a dispute in Stripe's dashboard. Undefined if another gateway has it. */
function dashboardUrl(
  { gatewayId, gatewayName, place }: Pick<Dispute, 'gatewayId' | 'gatewayName' | 'place'>,
  isTest: boolean,
): string | undefined {
  if (gatewayName !== 'stripe') return undefined
  const parts = [...(place === '' ? [] : [place]), ...(isTest ? ['test'] : []), 'disputes']
  return `https://dashboard.stripe.com/${parts.join('/')}/${encodeURIComponent(gatewayId)}`
}
