// One payment link: its address with a QR code, its payments, and the forms that change it.
// Operators act as merchants do.

import type { RequestContext } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { grouped } from '../../core/counts.ts'
import { Refusal } from '../../core/errors.ts'
import { isLinkId } from '../../core/id.ts'
import { refuseChanged } from '../../core/refuse-changed.ts'
import type { InCommit } from '../../db/queries.ts'
import type { PaymentLink } from '../../generated/client.ts'
import { changeLink, deleteLink } from '../../links/change-link.ts'
import { pageAddress } from '../../links/link.ts'
import { linkOfAccount } from '../../links/links-anywhere.ts'
import { qrPath } from '../../links/qr-code.ts'
import { paymentsOwned } from '../../payments/anywhere/owned.ts'
import { auditInCommit, namedInAccount, type ObjectParams, operatorContext } from '../account-of.ts'
import { savedWords } from '../done.ts'
import { ActionButton, ActionCard } from '../parts/action-form.tsx'
import { FormFault, filledForm } from '../parts/fields.tsx'
import type { Acting, ObjectPage, Shown } from '../parts/object-page.tsx'
import { MOST_ON_A_PAGE, Payments } from '../parts/payments.tsx'
import {
  CopyableText,
  FactCard,
  OwnId,
  QrCode,
  StatusWord,
  TeamOf,
  Verbatim,
} from '../parts/shown.tsx'
import { shownJson } from '../parts/shown-json.ts'
import { isFaulty, seenVersionOf } from '../parts/typed.ts'
import { linkPath } from '../paths.ts'
import {
  changedFields,
  LinkFields,
  linkChangeOf,
  linkFaults,
  typedLink,
  typedOfLink,
} from './fields.tsx'
import { LinkAmount, linkStateOf } from './list.tsx'

interface LinkAt {
  readonly account: AccountWithTeam
  readonly link: PaymentLink
}

export const ONE_LINK: ObjectPage<ObjectParams, LinkAt> = {
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
    const isDeleted = link.deletedAt !== null
    return (
      <>
        {isDeleted ? null : <Address address={pageAddress(world, link.id)} />}
        <Facts account={account} link={link} />
        <Payments payments={payments} id={link.id} what="this link" withCustomer />
        {isDeleted ? null : <Forms link={link} refused={refused} />}
        <details>
          <summary>Settings and data of the merchant</summary>
          <Verbatim text={shownJson({ link_meta: link.linkMeta, meta: link.meta })} />
        </details>
      </>
    )
  },
  actions: {
    change,
    activate: (acting) => setActive(acting, true),
    deactivate: (acting) => setActive(acting, false),
    async delete(acting) {
      const { world, found } = acting
      const { id, commonName: name, deletedAt } = found.link
      const record = auditInCommit(acting, found.account, 'payment link deleted', id, { name })
      if (deletedAt === null) await unlessGone(deleteLink(world, contextOf(acting), id, record))
      return 'The payment link is deleted.'
    },
  },
  faultsBy: (error, { action }) =>
    action === 'change' && error instanceof Refusal && error.code === 'wrong_state'
      ? { form: CHANGED_MEANWHILE }
      : undefined,
}

/** A second form, sent at the same moment, may have deleted the link that the page has found. */
async function unlessGone(deletion: Promise<void>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
  }
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
  if (isFaulty(faults)) return { faults }
  const sent = linkChangeOf(link, typed)
  const record: InCommit<[PaymentLink]> = (query, changed) => {
    const detail = changedFields(typedOfLink(link), typedOfLink(changed))
    return auditInCommit(acting, account, 'payment link changed', link.id, detail)(query)
  }
  const changed = await changeLink(world, contextOf(acting), link.id, sent, link.version, record)
  return savedWords(changed.version === link.version ? 0 : 1)
}

async function setActive(acting: Acting<LinkAt>, active: boolean): Promise<string> {
  const { world, found } = acting
  const { id, commonName: name, deletedAt } = found.link
  if (deletedAt !== null) return DELETED
  const action = active ? 'payment link activated' : 'payment link deactivated'
  const record = auditInCommit(acting, found.account, action, id, { name })
  await changeLink(world, contextOf(acting), id, { active }, undefined, record)
  return active ? 'Payers can pay through the link.' : 'Nobody can pay through the link now.'
}

function contextOf({ request, found: { account } }: Acting<LinkAt>): RequestContext {
  return operatorContext(request, account)
}

function Facts({ account, link }: LinkAt) {
  return (
    <FactCard
      of={{
        State: <StatusWord status={linkStateOf(link)} />,
        Amount: <LinkAmount of={link} />,
        Payments: grouped(link.totalTransactions),
        Received: link.totalSales,
        Team: <TeamOf account={account} />,
        'Created (UTC)': link.createdAt,
        'Updated (UTC)': link.updatedAt,
        'Deleted (UTC)': link.deletedAt,
        Id: <OwnId id={link.id} />,
      }}
    >
      <p class="quiet">
        Payments and the sum received count voided and refunded payments too: nothing is subtracted.
      </p>
    </FactCard>
  )
}

function Address({ address }: { address: string }) {
  return (
    <section class="card address" aria-label="Address">
      <QrCode path={qrPath(address)} label="QR code of the address" />
      <div class="stack">
        <h2>Address for payers</h2>
        <CopyableText id="address" text={address} />
        <p>
          <a href={address}>Open the page</a>
        </p>
      </div>
    </section>
  )
}

const ASKS_TO_DELETE =
  'Delete this payment link? Nobody can pay through it any more, and its payments can no longer ' +
  'be captured, voided or refunded. A deletion can’t be undone.'

const ASKS_TO_STOP =
  'Deactivate this payment link? It accepts no payments until it is activated again.'

function Forms({ link, refused }: Pick<LinkAt, 'link'> & Pick<Shown<LinkAt>, 'refused'>) {
  const path = linkPath(link)
  const filled = filledForm(refused, 'change', typedOfLink(link))
  return (
    <div class="columns">
      <ActionCard
        title="Change the link"
        id="change"
        to={`${path}/change`}
        fields={{ version: String(link.version) }}
        button="Save"
      >
        <FormFault text={filled.faults.form} />
        <LinkFields {...filled} />
      </ActionCard>
      <section class="card stack" aria-labelledby="stop">
        <h2 id="stop">{link.active ? 'Stop payments' : 'The link is not active'}</h2>
        {link.active ? (
          <ActionButton to={`${path}/deactivate`} asks={ASKS_TO_STOP} kind="plain">
            Deactivate link
          </ActionButton>
        ) : (
          <ActionButton to={`${path}/activate`}>Activate link</ActionButton>
        )}
        <ActionButton to={`${path}/delete`} asks={ASKS_TO_DELETE} kind="danger">
          Delete link
        </ActionButton>
      </section>
    </div>
  )
}
