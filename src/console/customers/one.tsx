// One customer: contact details, payment methods, and the newest payments, invoices and schedules.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { grouped } from '../../core/counts.ts'
import { MESSAGE_CHANNELS } from '../../core/delivery.ts'
import { addressesOf } from '../../customers/addresses-of.ts'
import type { RowKey } from '../../db/columns.ts'
import { stopsOf } from '../../deliveries/stopped-addresses.ts'
import type { Customer, Invoice, PaymentMethod, Schedule } from '../../generated/client.ts'
import { meansText } from '../../messages/people.ts'
import { LETTER_EN } from '../../messages/texts/letter-en.ts'
import { paymentsOwned } from '../../payments/anywhere/owned.ts'
import { shownRuleText } from '../../schedules/schedule-outlook.ts'
import type { World } from '../../world.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { StoppedAddresses } from '../deliveries/stopped-addresses.tsx'
import { InvoiceStateWord } from '../invoices/list.tsx'
import { formPath } from '../invoices/new.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { MOST_ON_A_PAGE, Payments } from '../parts/payments.tsx'
import { type Column, TablePart } from '../parts/row-table.tsx'
import {
  FactCard,
  type Facts,
  Id,
  personName,
  StatusWord,
  TeamOf,
  Verbatim,
} from '../parts/shown.tsx'
import { shownJson } from '../parts/shown-json.ts'
import { INVOICES_PATH, invoicePath, schedulePath } from '../paths.ts'
import { pathWith } from '../query.ts'
import { ScheduleWord } from '../schedules/list.tsx'

export const ONE_CUSTOMER: ObjectPage<ObjectParams, CustomerStory> = {
  place: 'customers',
  async find(world, params) {
    const { account, found } = await namedInAccount(world, params, 'customer', findCustomer)
    return readCustomer(world, account, found)
  },
  title: ({ customer }) => personName(customer),
  body: ({ found: story }) => (
    <>
      {story.customer.deletedAt === null ? (
        <p>
          <a class="button plain" href={formPath(story.customer)}>
            New invoice
          </a>
        </p>
      ) : null}
      <FactCard of={factsOf(story)} />
      <StoppedAddresses stops={story.stops} from={{ customer: story.customer.id }} />
      <TablePart
        id="methods"
        title="Payment methods"
        columns={METHOD_COLUMNS}
        rows={story.methods}
        whenEmpty="This customer has no payment methods."
      />
      <Payments payments={story.payments} id={story.customer.id} what="this customer" />
      <Invoices story={story} />
      <TablePart
        id="schedules"
        title="Schedules"
        columns={SCHEDULE_COLUMNS}
        rows={story.schedules}
        whenEmpty="This customer has no schedules."
      />
      <Meta meta={story.customer.meta} />
    </>
  ),
}

/** Without the gateway's token. */
const OF_METHOD = {
  id: true,
  method: true,
  nickname: true,
  personName: true,
  lastFour: true,
  cardType: true,
  cardExp: true,
  bankName: true,
  isDefault: true,
  createdAt: true,
} as const

type ShownMethod = Pick<PaymentMethod, keyof typeof OF_METHOD>

type CustomerStory = Awaited<ReturnType<typeof readCustomer>>

const MOST_METHODS = 50

/** Also finds a deleted customer, whose payments stay. */
async function findCustomer({ db }: World, key: RowKey) {
  return db.prisma.customer.findUnique({ where: { accountId_id: key } })
}

async function readCustomer(world: World, account: AccountWithTeam, customer: Customer) {
  const { prisma } = world.db
  const { accountId, id } = customer
  const ofIt = { accountId, customerId: id }
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  const newest = { orderBy, take: MOST_ON_A_PAGE }
  const [methods, payments, invoices, schedules, stops] = await Promise.all([
    prisma.paymentMethod.findMany({
      where: { ...ofIt, deletedAt: null },
      select: OF_METHOD,
      orderBy: { createdAt: 'desc' },
      take: MOST_METHODS,
    }),
    paymentsOwned(world, { accountId, owner: 'customer_id', id }, MOST_ON_A_PAGE),
    prisma.invoice.findMany({ where: { ...ofIt, deletedAt: null }, ...newest }),
    prisma.schedule.findMany({ where: ofIt, ...newest }),
    stopsOf(
      world,
      accountId,
      MESSAGE_CHANNELS.flatMap((one) => addressesOf(customer, one)),
    ),
  ])
  return { account, customer, methods, payments, invoices, schedules, stops }
}

function factsOf({ account, customer, payments: { sums } }: CustomerStory): Facts {
  const address = addressLines(customer)
  return {
    State: customer.deletedAt === null ? null : <StatusWord status="deleted" />,
    Team: <TeamOf account={account} />,
    Name: [customer.firstname, customer.lastname].filter(Boolean).join(' ') || null,
    Company: customer.company,
    'E-mail': customer.email,
    Phone: customer.phone,
    'Copies by e-mail': customer.ccEmails.join(', ') || null,
    'Copies by SMS': customer.ccSms.join(', ') || null,
    Address: address.length === 0 ? null : address.map((line) => <div key={line}>{line}</div>),
    Reference: customer.reference,
    Notes: customer.notes && <span class="lines">{customer.notes}</span>,
    Payments: sums && grouped(sums.payments),
    'Received, less what went back': sums?.received,
    'Created (UTC)': customer.createdAt,
    'Updated (UTC)': customer.updatedAt,
    'Deleted (UTC)': customer.deletedAt,
    Id: <code>{customer.id}</code>,
  }
}

function addressLines(customer: Customer): readonly string[] {
  const { address1, address2, addressCity, addressState, addressZip, addressCountry } = customer
  const place = [addressCity, addressState, addressZip].filter(Boolean).join(' ')
  return [address1, address2, place, addressCountry].flatMap((line) => line || [])
}

const METHOD_COLUMNS: readonly Column<ShownMethod>[] = [
  {
    head: 'Method',
    isMain: true,
    cell: (row) => meansText(row, LETTER_EN),
    below: (row) => row.bankName,
  },
  { head: 'Id', cell: ({ id }) => <Id id={id} /> },
  {
    head: 'Name',
    class: 'says',
    cell: (row) => row.personName ?? '',
    below: (row) => row.nickname,
  },
  { head: 'Expires', class: 'number', named: true, cell: ({ cardExp }) => expiryText(cardExp) },
  {
    head: 'Default',
    cell: ({ isDefault }) => (isDefault ? <span class="word good">default</span> : '–'),
  },
  { head: 'Added (UTC)', cell: ({ createdAt }) => createdAt },
]

/** `12/39`, from MMYY. */
function expiryText(cardExp: string | null): string {
  return cardExp === null ? '–' : cardExp.replace(/^(\d\d)(\d\d)$/, '$1/$2')
}

function Invoices({ story: { customer, invoices } }: { story: CustomerStory }) {
  return (
    <TablePart
      id="invoices"
      title="Invoices"
      columns={INVOICE_COLUMNS}
      rows={invoices}
      whenEmpty="This customer has no invoices."
    >
      {invoices.length < MOST_ON_A_PAGE ? null : (
        <p>
          <a
            href={pathWith(INVOICES_PATH, {}, { team: customer.accountId, customer: customer.id })}
          >
            All invoices of this customer
          </a>
        </p>
      )}
    </TablePart>
  )
}

const INVOICE_COLUMNS: readonly Column<Invoice>[] = [
  { head: 'Created (UTC)', cell: (row) => row.createdAt },
  { head: 'Invoice', isMain: true, cell: (row) => <Id id={row.id} to={invoicePath(row)} /> },
  { head: 'State', cell: (row) => <InvoiceStateWord status={row.status} /> },
  { head: 'Total', class: 'amount', cell: (row) => row.total },
  { head: 'Due (UTC)', named: 'Due', cell: (row) => row.payBy },
]

const SCHEDULE_COLUMNS: readonly Column<Schedule>[] = [
  { head: 'Schedule', isMain: true, cell: (row) => <Id id={row.id} to={schedulePath(row)} /> },
  { head: 'Rule', class: 'wrap', cell: (row) => shownRuleText(row) },
  { head: 'Amount', class: 'amount', cell: (row) => row.total },
  { head: 'State', cell: (row) => <ScheduleWord of={row} /> },
  { head: 'Next run (UTC)', named: 'Next run', cell: (row) => row.nextRunAt },
]

function Meta({ meta }: { meta: unknown }) {
  if (Object.keys(Object(meta)).length === 0) return null
  return (
    <details>
      <summary>Data of the merchant (meta)</summary>
      <Verbatim text={shownJson(meta)} />
    </details>
  )
}
