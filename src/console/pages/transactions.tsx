// The pages of transactions: the search over all accounts, and one transaction with its story and
// its actions.

import type { FastifyInstance } from 'fastify'
import { type ErrorCode, Refusal } from '../../core/errors.ts'
import type { FollowUpType } from '../../core/follow-up.ts'
import { type Cents, parseOpenMoney } from '../../core/money.ts'
import type { TransactionStatus } from '../../core/transaction.ts'
import { type Form, lineOf } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { keyOfForm, namedInAccount, type ObjectParams } from '../account-of.ts'
import { type Acting, addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { dollarText } from '../parts/shown.tsx'
import { noteOf, typedAmount } from '../parts/typed.ts'
import { DECISIONS, type RefusedDecision, refusedDecision } from '../transactions/decide.tsx'
import {
  type AskedFollowUp,
  askFollowUp,
  FOLLOW_UPS,
  followingOf,
} from '../transactions/follow-up.ts'
import { LONGEST_REASON, leftFor, type RefusedFollowUp } from '../transactions/follow-up-forms.tsx'
import { TRANSACTION_LIST } from '../transactions/list.tsx'
import { OneTransaction, transactionTitle } from '../transactions/one.tsx'
import { readStory, type TransactionStory } from '../transactions/read-story.ts'
import { sendReceipt } from '../transactions/receipt.tsx'
import { AMOUNT_FAULT } from '../transactions/search.ts'

export function transactionPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, TRANSACTION_LIST)
  addDetailPage(own, world, ONE_TRANSACTION)
}

const ONE_TRANSACTION: DetailPage<
  ObjectParams,
  TransactionStory,
  RefusedFollowUp | RefusedDecision
> = {
  place: 'transactions',
  async find(world, params) {
    return (await namedInAccount(world, params, 'transaction', readStory)).found
  },
  title: ({ row }) => transactionTitle(row),
  body({ world, found: story, refused }) {
    const isDecision = refused !== undefined && 'decision' in refused
    const following = {
      ...followingOf(world, story),
      refused: isDecision ? undefined : refused,
    }
    const decision = isDecision ? refused : undefined
    return <OneTransaction {...{ story, following, decision }} formKey={world.newId()} />
  },
  actions: {
    capture: (acting) => followUp(acting, 'capture'),
    void: (acting) => followUp(acting, 'void'),
    refund: (acting) => followUp(acting, 'refund'),
    receipt: sendReceipt,
    ...DECISIONS,
  },
  refusedBy(error, acting, now) {
    const { action, form } = acting
    const operation = FOLLOW_UPS.find((one) => one === action)
    if (operation === undefined) return refusedDecision(error, acting)
    const fault = limitFault(error, now, operation, form) ?? refusalWords(operation, error)
    return { operation, fault, ...typedOf(form) }
  },
}

async function followUp(
  { world, request, form, found }: Acting<TransactionStory>,
  operation: FollowUpType,
): Promise<string> {
  const asked = readAsked(operation, form)
  const status = await askFollowUp(world, request, found, asked)
  return outcomeWords(operation, asked.total ?? found.row.total, status)
}

function outcomeWords(operation: FollowUpType, amount: Cents, status: TransactionStatus): string {
  switch (status) {
    case 'SUCCESS':
      return `${DONE[operation]} ${dollarText(amount)}.`
    case 'FAILED':
      return `The ${operation} failed: its line below says why.`
    case 'PENDING':
      return `The ${operation} of ${dollarText(amount)} is under way.`
  }
}

/** Longer than any amount. */
const LONGEST_AMOUNT = 40

const DONE = { capture: 'Captured', void: 'Voided', refund: 'Refunded' } as const

/** The message of a code is part of a sentence; words about an amount are a whole one. */
function refusalWords(operation: FollowUpType, { code, message }: Refusal): string {
  if (code === 'invalid_request') return message
  return `Nothing was ${DONE[operation].toLowerCase()}: ${message}.`
}

/** The service's own message names the whole amount, even if a part is already refunded. */
function limitFault(
  { code }: Refusal,
  { row, takenBack }: TransactionStory,
  operation: FollowUpType,
  { total = '' }: Form,
): string | undefined {
  if (operation === 'void' || !OF_AMOUNTS.has(code)) return undefined
  const left = leftFor(operation, row, takenBack)
  if (left <= 0n || (typedAmount(total) ?? 0n) <= left) return undefined
  const done = DONE[operation].toLowerCase()
  return `Enter ${dollarText(left)} or less: that is what can still be ${done}.`
}

const OF_AMOUNTS: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'capture_exceeds_remaining',
  'refund_exceeds_remaining',
])

/** The typed values, which are shown again beside the fault. */
function typedOf({ total, reason }: Form) {
  return { total: lineOf(total, LONGEST_AMOUNT), reason: lineOf(reason, LONGEST_REASON) }
}

function readAsked(operation: FollowUpType, form: Form): AskedFollowUp {
  const { total = '', previously_refunded: previously = '' } = form
  const key = keyOfForm(form)
  const reason = noteOf(form.reason, LONGEST_REASON)
  if (operation === 'void') return { operation, key, reason }
  const amount = typedAmount(total)
  if (amount === undefined) throw new Refusal('invalid_request', { message: AMOUNT_FAULT })
  if (operation === 'capture') return { operation, key, reason, total: amount }
  const before = parseOpenMoney(previously)
  if ('fault' in before) throw incompleteForm()
  return { operation, key, reason, total: amount, previouslyRefunded: before.cents ?? 0n }
}
