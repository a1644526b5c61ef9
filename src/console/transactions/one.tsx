// One transaction: its facts, its actions, and its story.

import { Fragment } from 'preact'
import { DECLINE_MEANINGS, RETRY_MEANINGS } from '../../core/decline.ts'
import { type ErrorCode, Refusal } from '../../core/errors.ts'
import type { FollowUpType } from '../../core/follow-up.ts'
import { type Cents, parseOpenMoney } from '../../core/money.ts'
import { capitalized } from '../../core/sentence.ts'
import type { TransactionStatus } from '../../core/transaction.ts'
import type { Form } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import { keyOfForm, namedInAccount, type ObjectParams } from '../account-of.ts'
import { CustomerLink } from '../customers/list.tsx'
import { refusalWords } from '../parts/fields.tsx'
import { detailsInMeta, MetaLines } from '../parts/meta-lines.tsx'
import type { Acting, ObjectPage } from '../parts/object-page.tsx'
import {
  Below,
  dollarText,
  FactCard,
  type Facts,
  Id,
  OwnId,
  StatusWord,
  TeamOf,
} from '../parts/shown.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { noteOf, typedAmount } from '../parts/typed.ts'
import { OBJECT_PATHS } from '../paths.ts'
import { afterMarksOf } from './afterwards.ts'
import { DECISIONS, DecideForms } from './decide.tsx'
import {
  type AskedFollowUp,
  amountLeft,
  askFollowUp,
  FOLLOW_UPS,
  FollowUpForms,
  paidBy,
  TYPE_NAMES,
} from './follow-up.tsx'
import { readStory, type TransactionStory } from './read-story.ts'
import { ReceiptForms, sendReceiptAgain } from './receipt.tsx'
import { AMOUNT_FAULT } from './search.ts'
import { timelineOf } from './story.ts'

export const ONE_TRANSACTION: ObjectPage<ObjectParams, TransactionStory> = {
  place: 'transactions',
  async find(world, params) {
    return (await namedInAccount(world, params, 'transaction', readStory)).found
  },
  title: ({ row: { type, total } }) => `${TYPE_NAMES[type]} of ${dollarText(total)}`,
  body: (shown) => (
    <>
      <FactCard of={factsOf(shown.found)} />
      <Purpose of={shown.found.row} />
      <DecideForms {...shown} />
      <FollowUpForms {...shown} />
      <ReceiptForms {...shown} />
      <Timeline entries={timelineOf(shown.found)} clockAt={shown.found.account.clockAt} />
    </>
  ),
  actions: {
    capture: (acting) => followUp(acting, 'capture'),
    void: (acting) => followUp(acting, 'void'),
    refund: (acting) => followUp(acting, 'refund'),
    receipt: sendReceiptAgain,
    ...DECISIONS,
  },
  faultsBy(error, { action, form }, now) {
    if (Object.hasOwn(DECISIONS, action)) return { form: error.message }
    const operation = FOLLOW_UPS.find((one) => one === action)
    if (operation === undefined || !(error instanceof Refusal)) return undefined
    const nothing = `Nothing was ${DONE[operation].toLowerCase()}`
    return { form: limitFault(error, now, operation, form) ?? refusalWords(error, nothing) }
  },
}

/** A merchant that speaks of a payment names its own order. */
function Purpose({ of }: { of: TransactionStory['row'] }) {
  return <MetaLines title="What it is for" details={detailsInMeta(of)} total={of.total} />
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

const DONE = { capture: 'Captured', void: 'Voided', refund: 'Refunded' } as const

/** The service's own message names the whole amount, even if a part is already refunded. */
function limitFault(
  { code }: Refusal,
  { row, takenBack }: TransactionStory,
  operation: FollowUpType,
  { total = '' }: Form,
): string | undefined {
  if (operation === 'void' || !OF_AMOUNTS.has(code)) return undefined
  const left = amountLeft(operation, row, takenBack)
  if (left <= 0n || (typedAmount(total) ?? 0n) <= left) return undefined
  const done = DONE[operation].toLowerCase()
  return `Enter ${dollarText(left)} or less: that is what can still be ${done}.`
}

const OF_AMOUNTS: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'capture_exceeds_remaining',
  'refund_exceeds_remaining',
])

function readAsked(operation: FollowUpType, form: Form): AskedFollowUp {
  const { total = '', previously_refunded: previously = '' } = form
  const key = keyOfForm(form)
  const reason = noteOf(form.reason)
  if (operation === 'void') return { operation, key, reason }
  const amount = typedAmount(total)
  if (amount === undefined) throw new Refusal('invalid_request', { message: AMOUNT_FAULT })
  if (operation === 'capture') return { operation, key, reason, total: amount }
  const before = parseOpenMoney(previously)
  if ('fault' in before) throw incompleteForm()
  return { operation, key, reason, total: amount, previouslyRefunded: before.cents ?? 0n }
}

function factsOf(story: TransactionStory): Facts {
  const { account, row } = story
  const { accountId } = row
  const to = (kind: keyof typeof OBJECT_PATHS, id: string | null) =>
    id && <Id id={id} to={OBJECT_PATHS[kind]({ accountId, id })} />
  return {
    Status: (
      <>
        <StatusWord status={row.parkedAt === null ? row.status : 'parked'} />
        {afterMarksOf(story).map(({ id, status, words }) => (
          <Fragment key={id}>
            {' '}
            <a href={`#${id}`}>
              <StatusWord status={status} words={words} />
            </a>
          </Fragment>
        ))}
      </>
    ),
    Amount: row.total,
    ...sumsOf(story),
    'Gateway message': row.message,
    'Decline code': meant(row.declineCode, DECLINE_MEANINGS),
    'Gateway’s code': row.gatewayCode && <code>{row.gatewayCode}</code>,
    'Another try': meant(row.retryAdvice, RETRY_MEANINGS),
    Team: <TeamOf account={account} />,
    Customer: <CustomerLink of={row.customer} />,
    'Paid by': paidBy(row),
    'Received (UTC)': row.createdAt,
    'Updated (UTC)': row.updatedAt,
    Batch: to('batch', row.batchId),
    Schedule: to('schedule', row.scheduleId),
    Invoice: to('invoice', row.invoiceId),
    'Payment link': to('payment link', row.paymentLinkId),
    'Original payment': to('transaction', row.referenceId),
    Gateway: row.gatewayName,
    'Gateway reference': row.authId && <code>{row.authId}</code>,
    Id: <OwnId id={row.id} />,
  }
}

/** A code, and what it means. */
function meant(code: string | null, meanings: Readonly<Record<string, string>>) {
  if (code === null) return null
  return (
    <>
      {code}
      <Below>{Object.hasOwn(meanings, code) ? capitalized(meanings[code] ?? '') : null}</Below>
    </>
  )
}

function sumsOf({ row, children, takenBack }: TransactionStory): Facts {
  const { type, captured, refunded, reserved, isVoided } = row
  const voided = children
    .filter((child) => child.type === 'capture' && child.isVoided)
    .reduce((sum, { total }) => sum + total, 0n)
  return {
    Captured: type === 'pre_auth' ? captured - voided : null,
    'Captured, then voided': voided > 0n ? voided : null,
    Refunded: refunded > 0n ? refunded : null,
    'Being refunded': reserved > 0n ? reserved : null,
    Voided: isVoided ? 'yes' : null,
    'Taken back by the bank': takenBack > 0n ? takenBack : null,
  }
}
