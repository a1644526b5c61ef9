// One payment link: its address with a QR code, its payments, and the forms that change it.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { grouped } from '../../core/counts.ts'
import type { PaymentLink } from '../../generated/client.ts'
import { qrPath } from '../../links/qr-code.ts'
import type { OwnedPayments } from '../../payments/anywhere/owned.ts'
import { ActionButton, ActionCard } from '../parts/action-form.tsx'
import { FormFault, type FormFaults } from '../parts/fields.tsx'
import { Payments } from '../parts/payments.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import {
  Amount,
  At,
  CopyableText,
  FactCard,
  StatusWord,
  TeamOf,
  Verbatim,
} from '../parts/shown.tsx'
import { shownJson } from '../parts/shown-json.ts'
import { linkPath } from '../paths.ts'
import { LinkFields, type TypedLink, typedOfLink } from './fields.tsx'
import { LinkAmount, linkStateOf } from './list.tsx'

export interface OneLinkProps {
  readonly account: AccountWithTeam
  readonly link: PaymentLink
  /** The page that a payer opens. */
  readonly address: string
  readonly payments: OwnedPayments
  readonly refused?: { readonly typed: TypedLink; readonly faults: FormFaults } | undefined
}

export function OneLink(props: OneLinkProps) {
  const { account, link, address, payments } = props
  const isDeleted = link.deletedAt !== null
  return (
    <>
      {isDeleted ? null : <Address address={address} />}
      <FactCard
        of={{
          State: <StatusWord status={linkStateOf(link)} />,
          Amount: <LinkAmount of={link} />,
          Payments: grouped(link.totalTransactions),
          Received: <Amount cents={link.totalSales} />,
          Team: <TeamOf account={account} />,
          'Created (UTC)': <At instant={link.createdAt} />,
          'Updated (UTC)': <At instant={link.updatedAt} />,
          'Deleted (UTC)': isDeleted ? <At instant={link.deletedAt} /> : null,
          Id: <code>{link.id}</code>,
        }}
      >
        <p class="quiet">
          Payments and the sum received count voided and refunded payments too: nothing is
          subtracted.
        </p>
      </FactCard>
      <Payments payments={payments} id={link.id} what="this link" withCustomer />
      {isDeleted ? null : <Forms {...props} />}
      <details>
        <summary>Settings and data of the merchant</summary>
        <Verbatim text={shownJson({ link_meta: link.linkMeta, meta: link.meta })} />
      </details>
    </>
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

function Forms({ link, refused }: OneLinkProps) {
  const path = linkPath(link)
  return (
    <div class="columns">
      <ActionCard
        title="Change the link"
        id="change"
        to={`${path}/change`}
        fields={{ version: String(link.version) }}
        button="Save"
      >
        <FormFault text={refused?.faults.form} />
        <LinkFields typed={refused?.typed ?? typedOfLink(link)} faults={refused?.faults ?? {}} />
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
