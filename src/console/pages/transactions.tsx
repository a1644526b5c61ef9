// The pages of transactions: the search over all accounts, and one transaction with its story and
// its actions.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/id.ts'
import { parseMoney, parseOpenMoney } from '../../core/money.ts'
import { type Form, formOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { ConsolePage } from '../layout.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { dollarText } from '../parts/shown.tsx'
import { type AskedFollowUp, askFollowUp, followingOf } from '../transactions/follow-up.ts'
import { type Following, refundable } from '../transactions/follow-up-forms.tsx'
import { TRANSACTION_LIST } from '../transactions/list.tsx'
import { OneTransaction, transactionTitle } from '../transactions/one.tsx'
import { readStory, type TransactionStory } from '../transactions/read-story.ts'
import { AMOUNT_FAULT, TRANSACTIONS_PATH } from '../transactions/search.ts'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

interface OfOne {
  readonly Params: { readonly account: string; readonly id: string }
}

export function transactionPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, TRANSACTION_LIST)
  own.get<OfOne>('/transactions/:account/:id', HIDDEN, async (request, reply) => {
    const told = await toldOf(world, request.params)
    return answerOne(request, reply, told, followingOf(world, told))
  })
  for (const operation of ['void', 'refund'] as const) {
    own.post<OfOne>(`/transactions/:account/:id/${operation}`, HIDDEN, (request, reply) =>
      answerFollowUp(world, request, reply, operation, request.params),
    )
  }
}

async function answerFollowUp(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: 'void' | 'refund',
  params: OfOne['Params'],
): Promise<FastifyReply> {
  const told = await toldOf(world, params)
  const form = formOf(request)
  let asked: AskedFollowUp | undefined
  try {
    asked = readAsked(operation, form)
    await askFollowUp(world, operatorOf(request), request.id, told, asked)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const now = await toldOf(world, params)
    const fault = limitFault(error, now, asked) ?? error.message
    const shown = { ...followingOf(world, now), fault, typed: form.total }
    return answerOne(request, reply, now, shown, error.status)
  }
  return reply.redirect(`${TRANSACTIONS_PATH}/${params.account}/${params.id}`, 303)
}

/** The service's own message names the whole amount, even if a part is already refunded. */
function limitFault(
  { code }: Refusal,
  { row }: TransactionStory,
  asked?: AskedFollowUp,
): string | undefined {
  const left = refundable(row)
  const isAmount = code === 'invalid_request' || code === 'refund_exceeds_remaining'
  if (!isAmount || left <= 0n || (asked?.total ?? 0n) <= left) return undefined
  return `Enter ${dollarText(left)} or less: that is what can still be refunded.`
}

function readAsked(operation: 'void' | 'refund', form: Form): AskedFollowUp {
  const { key = '', total = '', previously_refunded: previously = '' } = form
  if (!isId(key)) throw new PageRefusal(400, 'The form is incomplete', 'Open the page again.')
  if (operation === 'void') return { operation, key }
  const read = parseMoney(
    total
      .trim()
      .replace(/^\$\s*/, '')
      // Only as a thousands separator: 12,50 is not 1250.
      .replace(/,(?=\d{3}(?:[,.]|$))/g, ''),
  )
  if ('fault' in read) {
    throw new Refusal('invalid_request', { message: AMOUNT_FAULT })
  }
  const before = parseOpenMoney(previously)
  if ('fault' in before)
    throw new PageRefusal(400, 'The form is incomplete', 'Open the page again.')
  return { operation, key, total: read.cents, previouslyRefunded: before.cents ?? 0n }
}

function answerOne(
  request: FastifyRequest,
  reply: FastifyReply,
  told: TransactionStory,
  following: Following,
  status = 200,
): FastifyReply {
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title={transactionTitle(told.row)} place="transactions" operator={operator}>
      <OneTransaction told={told} operator={operator} following={following} />
    </ConsolePage>,
    status,
  )
}

async function toldOf(world: World, { account, id }: OfOne['Params']): Promise<TransactionStory> {
  const isNamed = isId(account) && isId(id)
  const told = isNamed ? await readStory(world, { accountId: account, id }) : undefined
  if (told === undefined) {
    throw new PageRefusal(404, 'Not found', 'There is no such transaction in that account.')
  }
  return told
}
