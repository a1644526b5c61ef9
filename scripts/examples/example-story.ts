// The business of a shop, which calls every operation of the API once or more. The first answer of
// an operation with a status is its example in the document. A new operation needs a line here.

import { MINUTE } from '../../src/core/time-units.ts'
import type { AskOperation, Body } from './ask-operations.ts'
import type { GatewayControls } from './private-service.ts'

export interface ExampleShop {
  /** With the key of the shop. */
  readonly ask: AskOperation
  /** With the key of a shop without transactions. */
  readonly askElsewhere: AskOperation
  readonly endpoint: string
  readonly gateway: GatewayControls
}

interface Known {
  readonly customer: string
  readonly card: string
}

interface Sold {
  readonly charge: string
  readonly other: string
}

const DECLINED = { status: 400 }
const ACCEPTED = { headers: { prefer: 'respond-async' }, status: 202 }
const ONE = { limit: '1' }

const SENDINGS = ['emailInvoice', 'putEmailInvoice', 'textInvoice', 'putSmsInvoice'] as const

const DECLINING = { card_number: '4012888888881881', card_exp: '1230' }
const FRIDAY = { now: '2026-03-06T15:04:05.678Z' }

export async function runExampleStory(shop: ExampleShop): Promise<void> {
  await introduceTeam(shop)
  const known = await meetCustomer(shop)
  const webhook = await subscribe(shop)
  await sellByLink(shop, known)
  const sold = await sell(shop, known)
  await sendReceipts(shop, sold.charge)
  await keepCatalogue(shop)
  await bill(shop, known)
  await billMonthly(shop, known)
  await settle(shop, sold)
  await contest(shop, sold)
  await readEvents(shop, webhook)
  // The last step, because its payments may be decided at any time.
  await acceptOnly(shop, known, sold)
}

async function introduceTeam({ ask, askElsewhere }: ExampleShop): Promise<void> {
  for (const probe of ['getHealth', 'getReadiness', 'getMetrics', 'getSelf']) await ask(probe)
  await askElsewhere('setSandboxClock')
  await askElsewhere('deleteSandboxClock')
  await ask('setSandboxClock', { body: FRIDAY })
}

async function meetCustomer({ ask }: ExampleShop): Promise<Known> {
  const { id: customer } = await ask('createCustomer')
  await ask('updateCustomer', { id: customer })
  await ask('updateCustomer', { id: customer, body: { phone: '+12025550123' } })
  await ask('getCustomer', { id: customer })
  await ask('listCustomers')
  const { id: card } = await ask('createPaymentMethod', { body: { customer_id: customer } })
  await ask('updatePaymentMethod', { id: card })
  await ask('getPaymentMethod', { id: card })
  await ask('listPaymentMethods')
  await ask('listCustomerPaymentMethods', { id: customer })
  const { id: other } = await ask('createCustomer')
  await ask('deleteCustomer', { id: other })
  return { customer, card }
}

async function subscribe({ ask, endpoint }: ExampleShop): Promise<string> {
  const { id } = await ask('createWebhook', { body: { target_url: endpoint } })
  await ask('updateWebhook', { id, body: { event: ['create_transaction'] } })
  await ask('getWebhook', { id })
  await ask('listWebhooks')
  await ask('rollWebhookSecret', { id })
  return id
}

async function sellByLink({ ask }: ExampleShop, { card }: Known): Promise<void> {
  const { id } = await ask('createPaymentLink')
  await ask('createCharge', { body: { payment_method_id: card, payment_link_id: id } })
  await ask('getPaymentLink', { id })
  await ask('queryPaymentLinks')
  await ask('listPaymentLinks')
  await ask('getPaymentLinkQrCode', { id })
  await ask('updatePaymentLink', { id })
  await ask('deletePaymentLink', { id })
}

async function sell({ ask, gateway }: ExampleShop, { customer, card }: Known): Promise<Sold> {
  const body = { payment_method_id: card }
  const funding = [{ account_id: 'coffee', amount: 12.5 }]
  const charge = await ask('createCharge', { body: { ...body, funding } })
  await ask('getTransactionFunding', { id: charge.id })
  const other = await ask('createCharge', { body })
  const bad = await ask('createPaymentMethod', { body: { ...DECLINING, customer_id: customer } })
  await ask('createCharge', { body: { payment_method_id: bad.id }, ...DECLINED })
  await ask('deletePaymentMethod', { id: bad.id })
  const { id: held } = await ask('createCharge', { body: { ...body, pre_auth: true } })
  await ask('captureTransaction', { id: held })
  gateway.declineNext()
  await ask('captureTransaction', { id: held, ...DECLINED })
  const { id: wrong } = await ask('createCharge', { body })
  gateway.declineNext()
  await ask('voidTransaction', { id: wrong, ...DECLINED })
  await ask('voidTransaction', { id: wrong })
  const { id: cash } = await ask('recordTransaction', { body: { customer_id: customer } })
  await ask('updateTransaction', { id: cash })
  return { charge: charge.id, other: other.id }
}

async function sendReceipts({ ask }: ExampleShop, id: string): Promise<void> {
  await ask('emailReceipt', { id })
  await ask('putEmailReceipt', { id })
  await ask('textReceipt', { id })
  await ask('putSmsReceipt', { id })
  await ask('listReceipts', { id, until: (receipts) => receipts.every(isSent) })
}

async function bill({ ask, gateway }: ExampleShop, { customer, card }: Known): Promise<void> {
  const draft = async () => (await ask('createInvoice', { body: { customer_id: customer } })).id
  const body = { payment_method_id: card }
  const id = await draft()
  await ask('updateInvoice', { id })
  for (const sending of SENDINGS) await ask(sending, { id })
  await ask('payInvoice', { id, body })
  await ask('getInvoice', { id })
  await ask('payInvoiceInCash', { id: await draft() })
  await ask('payInvoiceByCheck', { id: await draft() })
  gateway.declineNext()
  await ask('payInvoice', { id: await draft(), body, ...DECLINED })
  await ask('deleteInvoice', { id: await draft() })
  await ask('listInvoices', { query: ONE })
}

async function keepCatalogue({ ask }: ExampleShop): Promise<void> {
  const { id } = await ask('createItem')
  await ask('updateItem', { id })
  await ask('getItem', { id })
  await ask('listItems')
  await ask('deleteItem', { id })
}

async function billMonthly({ ask }: ExampleShop, { customer, card }: Known): Promise<void> {
  const body = { customer_id: customer, payment_method_id: card }
  const { id } = await ask('createSchedule', { body })
  await ask('getSchedule', { id })
  await ask('listSchedules')
  await ask('updateSchedule', { id })
  await ask('deleteSchedule', { id })
}

/** The batch closes, and refunds are possible after the midnight that follows. */
async function settle({ ask, gateway }: ExampleShop, { charge, other }: Sold): Promise<void> {
  await ask('setSandboxClock', ACCEPTED)
  await ask('getSandboxClock', { until: ({ status }) => status === 'ready' })
  await ask('refundTransaction', { id: charge })
  await ask('getTransaction', { id: charge })
  await ask('voidOrRefundTransaction', { id: other })
  gateway.declineNext()
  await ask('refundTransaction', { id: other, body: { amount: 1 }, ...DECLINED })
  gateway.declineNext()
  await ask('voidOrRefundTransaction', { id: charge, body: { amount: 1 }, ...DECLINED })
  await ask('listTransactions', { query: { ...ONE, type: 'refund', status: 'SUCCESS' } })
  const { data } = await ask('listBatches', { query: { ...ONE, status: 'closed' } })
  await ask('getBatch', { id: data[0].id })
  await ask('listBatchTransactions', { id: data[0].id, query: ONE })
  await ask('listDeposits', { query: ONE })
  await ask('listDepositTransactions', { query: { ...ONE, batch_id: data[0].id } })
}

async function contest({ ask }: ExampleShop, { charge }: Sold): Promise<void> {
  const dispute = await ask('createSandboxDispute', { id: charge, body: { amount: 2.5 } })
  await ask('getDispute', { id: dispute.id })
  await ask('listDisputes')
  const [refund] = await ask('listRelatedTransactions', { id: charge })
  const reversal = await ask('createSandboxReversal', { id: refund.id })
  await ask('getReversal', { id: reversal.id })
  await ask('listReversals')
}

async function readEvents({ ask }: ExampleShop, webhook: string): Promise<void> {
  await ask('listEvents', { query: { ...ONE, type: 'create_customer' } })
  const query = { ...ONE, order: 'ASC' }
  await ask('listWebhookDeliveries', { id: webhook, query, until: ({ data }) => isSent(data[0]) })
  await ask('testWebhook', { id: webhook })
  await ask('replayWebhook', { id: webhook, body: { since: new Date(Date.now() - MINUTE) } })
  await ask('deleteWebhook', { id: webhook })
}

async function acceptOnly(shop: ExampleShop, known: Known, { charge, other }: Sold) {
  const { ask, gateway } = shop
  const body = { payment_method_id: known.card }
  const { id: held } = await ask('createCharge', { body: { ...body, pre_auth: true } })
  const { id: wrong } = await ask('createCharge', { body })
  const invoice = await ask('createInvoice', { body: { customer_id: known.customer } })
  const release = gateway.hold()
  await ask('createCharge', { body, ...ACCEPTED })
  await ask('captureTransaction', { id: held, ...ACCEPTED })
  await ask('voidTransaction', { id: wrong, ...ACCEPTED })
  await ask('refundTransaction', { id: charge, ...ACCEPTED })
  await ask('voidOrRefundTransaction', { id: other, ...ACCEPTED })
  await ask('payInvoice', { id: invoice.id, body, ...ACCEPTED })
  release()
}

function isSent({ status }: Body): boolean {
  return status === 'sent' || status === 'delivered'
}
