// The pages of payment links: the list, the form for a new one, and one link with its actions.
// Operators act as merchants do.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RequestContext } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { Refusal } from '../../core/errors.ts'
import { isLinkId } from '../../core/id.ts'
import { refuseChanged } from '../../core/refuse-changed.ts'
import type { PaymentLink } from '../../generated/client.ts'
import { changeLink, deleteLink } from '../../links/change-link.ts'
import { createLink } from '../../links/create-link.ts'
import { pageAddress } from '../../links/link.ts'
import { linkOfAccount } from '../../links/list-anywhere.ts'
import { paymentsOwned } from '../../payments/anywhere/owned.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import {
  auditAction,
  keyOfForm,
  namedInAccount,
  type ObjectParams,
  operatorContext,
} from '../account-of.ts'
import { answerConsole } from '../answer-console.tsx'
import { redirectDone, savedWords } from '../done.ts'
import {
  changedFields,
  EMPTY_LINK,
  linkChangeOf,
  linkFaults,
  newLinkOf,
  typedLink,
  typedOfLink,
} from '../links/fields.tsx'
import { LINK_LIST } from '../links/list.tsx'
import { NewLinkForm, type NewLinkProps } from '../links/new.tsx'
import { OneLink, type OneLinkProps } from '../links/one.tsx'
import { type Acting, addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { MOST_ON_A_PAGE } from '../parts/payments.tsx'
import { isFaulty, seenVersionOf } from '../parts/typed.ts'
import { linkPath } from '../paths.ts'
import { queryOf } from '../query.ts'
import { accountTyped } from '../typed-account.ts'

const LONGEST_TEAM = 200

export function operatorLinkPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, LINK_LIST)
  own.get('/links/new', async (request, reply) => {
    const { team } = queryOf(request)
    const mode = world.gateways.ofMode('live').length > 0 ? 'live' : 'sandbox'
    const shown = { team: team ?? (await onlyTeam(world)), mode, typed: EMPTY_LINK, faults: {} }
    return answerForm(world, reply, shown)
  })
  own.post('/links/new', (_request, reply) => answerNewLink(world, reply))
  addDetailPage(own, world, ONE_LINK)
}

/** If there is one team, it needs no typing. */
async function onlyTeam({ db }: World): Promise<string> {
  const [one, other] = await db.prisma.team.findMany({ select: { name: true }, take: 2 })
  return one === undefined || other !== undefined ? '' : one.name
}

function answerForm(
  world: World,
  reply: FastifyReply,
  shown: Omit<NewLinkProps, 'formKey'>,
  formKey = world.newId(),
): FastifyReply {
  return answerConsole(
    reply,
    {
      title: 'New payment link',
      place: 'links',
      faults: shown.faults,
    },
    <NewLinkForm {...shown} formKey={formKey} />,
  )
}

async function answerNewLink(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const form = formOf(request)
  const key = keyOfForm(form)
  const [team, mode] = [lineOf(form.team, LONGEST_TEAM), lineOf(form.mode, LONGEST_TEAM)]
  const typed = typedLink(form)
  const { account, faults: unknown } = await accountTyped(world, team, mode)
  const faults = { ...linkFaults(typed), ...unknown }
  if (account === undefined || isFaulty(faults)) {
    return answerForm(world, reply, { team, mode, typed, faults }, key)
  }
  const context = operatorContext(request, account, key)
  try {
    const { body, isReplayed } = await createLink(world, context, newLinkOf(typed))
    const { id } = JSON.parse(body) as { readonly id: string }
    if (!isReplayed) {
      const detail = { name: typed.name }
      await auditAction({ world, request }, account, 'payment link made', id, detail)
    }
    const path = linkPath({ accountId: account.id, id })
    return redirectDone(world, reply, path, 'The payment link is made.')
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'idempotency_conflict') throw error
    const form = 'A link was made with this form before. Send it again to make another one.'
    return answerForm(world, reply, { team, mode, typed, faults: { form } })
  }
}

interface LinkAt {
  readonly account: AccountWithTeam
  readonly link: PaymentLink
}

const ONE_LINK: DetailPage<ObjectParams, LinkAt, NonNullable<OneLinkProps['refused']>> = {
  place: 'links',
  async find(world, params) {
    const named = ['payment link', linkOfAccount, isLinkId] as const
    const { account, found: link } = await namedInAccount(world, params, ...named)
    return { account, link }
  },
  title: ({ link }) => link.commonName,
  async body({ world, found: { account, link }, refused }) {
    const owned = { accountId: account.id, owner: 'payment_link_id', id: link.id } as const
    const payments = await paymentsOwned(world, owned, MOST_ON_A_PAGE)
    const address = pageAddress(world, link.id)
    return <OneLink {...{ account, link, address, payments, refused }} />
  },
  actions: {
    change,
    activate: (acting) => setActive(acting, true),
    deactivate: (acting) => setActive(acting, false),
    async delete(acting) {
      const { world, found } = acting
      const { id, commonName: name, deletedAt } = found.link
      if (deletedAt === null) {
        await deleteLink(world, contextOf(acting), id)
        await auditAction(acting, found.account, 'payment link deleted', id, { name })
      }
      return 'The payment link is deleted.'
    },
  },
  refusedBy: ({ code }, { action, form }) =>
    action === 'change' && code === 'wrong_state'
      ? { typed: typedLink(form), faults: { form: CHANGED_MEANWHILE } }
      : undefined,
}

const DELETED = 'The link is deleted, so it can’t be changed.'

const CHANGED_MEANWHILE =
  'The link has changed since this form was opened. Below is what you typed: check it against the link, then save again.'

async function change(acting: Acting<LinkAt>) {
  const { world, form, found } = acting
  const { account, link } = found
  if (link.deletedAt !== null) return DELETED
  const typed = typedLink(form)
  refuseChanged('payment link', link, seenVersionOf(form))
  const faults = linkFaults(typed)
  if (isFaulty(faults)) return { refused: { typed, faults } }
  const sent = linkChangeOf(link, typed)
  const changed = await changeLink(world, contextOf(acting), link.id, sent, link.version)
  const isChanged = changed.version !== link.version
  if (isChanged) {
    const detail = changedFields(typedOfLink(link), typedOfLink(changed))
    await auditAction(acting, account, 'payment link changed', link.id, detail)
  }
  return savedWords(isChanged ? 1 : 0)
}

async function setActive(acting: Acting<LinkAt>, active: boolean): Promise<string> {
  const { world, found } = acting
  const { id, commonName: name, deletedAt, version } = found.link
  if (deletedAt !== null) return DELETED
  const changed = await changeLink(world, contextOf(acting), id, { active })
  if (changed.version !== version) {
    const action = active ? 'payment link activated' : 'payment link deactivated'
    await auditAction(acting, found.account, action, id, { name })
  }
  return active ? 'Payers can pay through the link.' : 'Nobody can pay through the link now.'
}

function contextOf({ request, found: { account } }: Acting<LinkAt>): RequestContext {
  return operatorContext(request, account)
}
