// The pages of payment links: the list, the form for a new one, and one link with its actions.
// Operators act as merchants do; an audit entry follows the action's own commit, whose event names
// the request.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountWithTeam, accountWithTeam } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import { Refusal } from '../../core/errors.ts'
import { isLinkId } from '../../core/id.ts'
import type { PaymentLink } from '../../generated/client.ts'
import { changeLink, deleteLink } from '../../links/change-link.ts'
import { createLink } from '../../links/create-link.ts'
import { pageAddress } from '../../links/link.ts'
import { linkOfAccount } from '../../links/list-anywhere.ts'
import { writeAuditEntry } from '../../operators/audit-entries.ts'
import { paymentsOwned } from '../../payments/anywhere/owned.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import type { World } from '../../world.ts'
import {
  accountOfPath,
  actingOf,
  keyOfForm,
  notInAccount,
  type OfAccount,
  operatorContext,
} from '../account-of.ts'
import { redirectDone, savedWords, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import {
  changedFields,
  EMPTY_LINK,
  linkChangeOf,
  linkFaults,
  newLinkOf,
  typedLink,
  typedOfLink,
} from '../links/fields.tsx'
import { LINK_LIST, linkPath } from '../links/list.tsx'
import { NewLinkForm, type NewLinkProps } from '../links/new.tsx'
import { OneLink, type OneLinkProps } from '../links/one.tsx'
import type { FormFaults } from '../parts/fields.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { MOST_ON_A_PAGE } from '../parts/payments.tsx'
import { accountsAsked, choiceOf, queryOf } from '../query.ts'
import { operatorOf } from '../who.ts'

const HIDDEN = { schema: { hide: true } }

const LONGEST_TEAM = 200

export function operatorLinkPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, LINK_LIST)
  own.get('/links/new', HIDDEN, async (request, reply) => {
    const { team } = queryOf(request)
    const mode = world.gateways.ofMode('live').length > 0 ? 'live' : 'sandbox'
    const shown = { team: team ?? (await onlyTeam(world)), mode, typed: EMPTY_LINK, faults: {} }
    return answerForm(world, request, reply, shown)
  })
  own.post('/links/new', HIDDEN, (request, reply) => answerNewLink(world, request, reply))
  own.get<OfAccount>('/links/:account/:id', HIDDEN, async (request, reply) =>
    answerOne(world, request, reply, await linkAt(world, request.params)),
  )
  own.post<OfAccount>('/links/:account/:id', HIDDEN, async (request, reply) =>
    answerChange(world, request, reply, await linkAt(world, request.params)),
  )
  for (const [action, act] of Object.entries(ACTIONS)) {
    own.post<OfAccount>(`/links/:account/:id/${action}`, HIDDEN, async (request, reply) => {
      const found = await linkAt(world, request.params)
      const words = await act(world, request, found)
      return redirectDone(world, request, reply, linkPath(found.link), words)
    })
  }
}

interface LinkAt {
  readonly account: AccountWithTeam
  readonly link: PaymentLink
}

async function linkAt(world: World, params: OfAccount['Params']): Promise<LinkAt> {
  const account = await accountOfPath(world, params.account, 'payment link')
  const id = params.id.toLowerCase()
  const link = isLinkId(id) ? await linkOfAccount(world, account.id, id) : undefined
  if (link === undefined) throw notInAccount('payment link')
  return { account, link }
}

/** If there is one team, it needs no typing. */
async function onlyTeam({ db }: World): Promise<string> {
  const [one, other] = await db.prisma.team.findMany({ select: { name: true }, take: 2 })
  return one === undefined || other !== undefined ? '' : one.name
}

function answerForm(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Omit<NewLinkProps, 'formKey' | 'operator'>,
  formKey = world.newId(),
): FastifyReply {
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title="New payment link" place="links" operator={operator}>
      <NewLinkForm {...shown} formKey={formKey} operator={operator} />
    </ConsolePage>,
    Object.keys(shown.faults).length > 0 ? 422 : 200,
  )
}

async function answerNewLink(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = formOf(request)
  const key = keyOfForm(form)
  const [team, mode] = [lineOf(form.team, LONGEST_TEAM), lineOf(form.mode, LONGEST_TEAM)]
  const typed = typedLink(form)
  const { account, faults: unknown } = await accountTyped(world, team, mode)
  const faults = { ...linkFaults(typed), ...unknown }
  if (account === undefined || Object.keys(faults).length > 0) {
    return answerForm(world, request, reply, { team, mode, typed, faults }, key)
  }
  const context = operatorContext(request, actingOf(account), key)
  try {
    const { body, isReplayed } = await createLink(world, context, newLinkOf(typed))
    const { id } = JSON.parse(body) as { readonly id: string }
    if (!isReplayed) {
      await audit(world, request, 'payment link made', { account, id }, { name: typed.name })
    }
    const path = linkPath({ accountId: account.id, id })
    return redirectDone(world, request, reply, path, 'The payment link is made.')
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'idempotency_conflict') throw error
    const form = 'A link was made with this form before. Send it again to make another one.'
    return answerForm(world, request, reply, { team, mode, typed, faults: { form } })
  }
}

interface TypedAccount {
  readonly account?: AccountWithTeam | undefined
  readonly faults: FormFaults
}

async function accountTyped(world: World, team: string, mode: string): Promise<TypedAccount> {
  if (team === '') return { faults: { team: 'Enter the name or the id of a team.' } }
  const asked = choiceOf({ mode }, 'mode', MODES)
  if (asked === undefined) return { faults: { mode: 'Choose live or sandbox.' } }
  const { accounts = [], fault } = await accountsAsked(world, { team })
  if (fault !== undefined) return { faults: { team: `${fault}.` } }
  const one = accounts.find((account) => account.mode === asked)
  if (one === undefined) return { faults: { mode: `The team has no ${asked} account.` } }
  return { account: await accountWithTeam(world, one.id), faults: {} }
}

async function answerOne(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, link }: LinkAt,
  refused?: OneLinkProps['refused'],
): Promise<FastifyReply> {
  const operator = operatorOf(request)
  const owned = { accountId: account.id, owner: 'payment_link_id', id: link.id } as const
  const payments = await paymentsOwned(world, owned, MOST_ON_A_PAGE)
  const address = pageAddress(world, link.id)
  return answerHtml(
    reply,
    <ConsolePage
      title={link.commonName}
      place="links"
      operator={operator}
      done={takeDone(world, request, reply)}
    >
      <OneLink {...{ account, link, address, payments, operator, refused }} />
    </ConsolePage>,
    refused === undefined ? 200 : 422,
  )
}

async function answerChange(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  found: LinkAt,
): Promise<FastifyReply> {
  const { account, link } = found
  if (link.deletedAt !== null) {
    const words = 'The link is deleted, so it can’t be changed.'
    return redirectDone(world, request, reply, linkPath(link), words)
  }
  const form = formOf(request)
  const typed = typedLink(form)
  const isStale = form.version !== undefined && form.version !== String(link.version)
  const faults = isStale ? { form: CHANGED_MEANWHILE } : linkFaults(typed)
  if (Object.keys(faults).length > 0) {
    return answerOne(world, request, reply, found, { typed, faults })
  }
  const context = operatorContext(request, actingOf(account))
  const changed = await changeLink(world, context, link.id, linkChangeOf(link, typed))
  const isChanged = changed.version !== link.version
  if (isChanged) {
    const detail = changedFields(typedOfLink(link), typedOfLink(changed))
    await audit(world, request, 'payment link changed', { account, id: link.id }, detail)
  }
  const words = savedWords(isChanged ? 1 : 0)
  return redirectDone(world, request, reply, linkPath(link), words)
}

const CHANGED_MEANWHILE =
  'The link has changed since this form was opened. Below is what you typed: check it against the link, then save again.'

type Act = (world: World, request: FastifyRequest, found: LinkAt) => Promise<string>

const ACTIONS: Readonly<Record<'activate' | 'deactivate' | 'delete', Act>> = {
  activate: (world, request, found) => setActive(world, request, found, true),
  deactivate: (world, request, found) => setActive(world, request, found, false),
  delete: async (world, request, { account, link }) => {
    if (link.deletedAt === null) {
      await deleteLink(world, operatorContext(request, actingOf(account)), link.id)
      const detail = { name: link.commonName }
      await audit(world, request, 'payment link deleted', { account, id: link.id }, detail)
    }
    return 'The payment link is deleted.'
  },
}

async function setActive(
  world: World,
  request: FastifyRequest,
  { account, link }: LinkAt,
  active: boolean,
): Promise<string> {
  if (link.deletedAt !== null) return 'The link is deleted, so it can’t be changed.'
  const context = operatorContext(request, actingOf(account))
  const changed = await changeLink(world, context, link.id, { active })
  if (changed.version !== link.version) {
    const action = active ? 'payment link activated' : 'payment link deactivated'
    const detail = { name: link.commonName }
    await audit(world, request, action, { account, id: link.id }, detail)
  }
  return active ? 'Payers can pay through the link.' : 'Nobody can pay through the link now.'
}

interface Target {
  readonly account: AccountWithTeam
  readonly id: string
}

function audit(
  world: World,
  request: FastifyRequest,
  action: string,
  { account, id }: Target,
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  return writeAuditEntry(world, operatorOf(request), {
    action,
    subject: id,
    detail: { account: account.id, team: account.team.name, ...detail },
  })
}
