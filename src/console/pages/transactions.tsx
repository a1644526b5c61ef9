// The pages of transactions: the search over all accounts, and one transaction with its story and
// its actions.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, Refusal } from '../../core/errors.ts'
import type { FollowUpType } from '../../core/follow-up.ts'
import { isId } from '../../core/id.ts'
import { type Cents, parseOpenMoney } from '../../core/money.ts'
import type { TransactionStatus } from '../../core/transaction.ts'
import { type Form, formOf, lineOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { keyOfForm, type OfAccount } from '../account-of.ts'
import { redirectDone, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { dollarText } from '../parts/shown.tsx'
import { noteOf, typedAmount } from '../parts/typed.ts'
import { type AskedFollowUp, askFollowUp, followingOf } from '../transactions/follow-up.ts'
import { type Following, LONGEST_REASON, leftFor } from '../transactions/follow-up-forms.tsx'
import { TRANSACTION_LIST } from '../transactions/list.tsx'
import { OneTransaction, transactionTitle } from '../transactions/one.tsx'
import { readStory, type TransactionStory } from '../transactions/read-story.ts'
import { AMOUNT_FAULT, TRANSACTIONS_PATH } from '../transactions/search.ts'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

export function transactionPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, TRANSACTION_LIST)
  own.get<OfAccount>('/transactions/:account/:id', HIDDEN, async (request, reply) => {
    const told = await toldOf(world, request.params)
    return answerOne(request, reply, told, {
      following: followingOf(world, told),
      done: takeDone(world, request, reply),
    })
  })
  for (const operation of ['capture', 'void', 'refund'] as const) {
    own.post<OfAccount>(`/transactions/:account/:id/${operation}`, HIDDEN, (request, reply) =>
      answerFollowUp(world, request, reply, operation, request.params),
    )
  }
}

async function answerFollowUp(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: FollowUpType,
  params: OfAccount['Params'],
): Promise<FastifyReply> {
  const told = await toldOf(world, params)
  const form = formOf(request)
  let asked: AskedFollowUp | undefined
  try {
    asked = readAsked(operation, form)
    const status = await askFollowUp(world, request, told, asked)
    const path = `${TRANSACTIONS_PATH}/${params.account}/${params.id}`
    const amount = asked.total ?? told.row.total
    return redirectDone(world, request, reply, path, outcomeWords(operation, amount, status))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const now = await toldOf(world, params)
    const fault = limitFault(error, now, asked) ?? refusalWords(operation, error)
    const refused = { operation, fault, ...typedOf(form) }
    const following = { ...followingOf(world, now), refused }
    return answerOne(request, reply, now, { following }, error.status)
  }
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
  { row }: TransactionStory,
  asked?: AskedFollowUp,
): string | undefined {
  if (asked === undefined || asked.operation === 'void' || !OF_AMOUNTS.has(code)) return undefined
  const left = leftFor(asked.operation, row)
  if (left <= 0n || (asked.total ?? 0n) <= left) return undefined
  const done = DONE[asked.operation].toLowerCase()
  return `Enter ${dollarText(left)} or less: that is what can still be ${done}.`
}

const OF_AMOUNTS: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'capture_exceeds_remaining',
  'refund_exceeds_remaining',
])

/** What is shown again beside the fault. */
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
  if ('fault' in before)
    throw new PageRefusal(400, 'The form is incomplete', 'Open the page again.')
  return { operation, key, reason, total: amount, previouslyRefunded: before.cents ?? 0n }
}

function answerOne(
  request: FastifyRequest,
  reply: FastifyReply,
  told: TransactionStory,
  { following, done }: { readonly following: Following; readonly done?: string | undefined },
  status = 200,
): FastifyReply {
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage
      title={transactionTitle(told.row)}
      place="transactions"
      operator={operator}
      done={done}
    >
      <OneTransaction told={told} operator={operator} following={following} />
    </ConsolePage>,
    status,
  )
}

async function toldOf(
  world: World,
  { account, id }: OfAccount['Params'],
): Promise<TransactionStory> {
  const isNamed = isId(account) && isId(id)
  const told = isNamed ? await readStory(world, { accountId: account, id }) : undefined
  if (told === undefined) {
    throw new PageRefusal(404, 'Not found', 'There is no such transaction in that account.')
  }
  return told
}
