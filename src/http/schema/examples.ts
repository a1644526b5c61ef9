// One example of each resource for the document: a charge on a customer's card that is settled and
// partly refunded.

const ID = '01941f29-7c00-7000-8000-'
const CUSTOMER = `${ID}000000000001`
const CARD = `${ID}000000000002`
const CHARGE = `${ID}000000000003`
const BATCH = `${ID}000000000004`
const LINK = '5b1f0c9be2a94c6f8d7e3a2b1c0d9e8f'

const times = (updated: string) => ({
  created_at: '2026-03-06T15:04:05.678Z',
  updated_at: updated,
})

const MADE = times('2026-03-06T15:04:05.678Z')

const nowhere = {
  address_1: null,
  address_2: null,
  address_city: null,
  address_state: null,
  address_zip: null,
  address_country: null,
}

export const exampleCustomer = {
  id: CUSTOMER,
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: null,
  email: 'ada@example.com',
  phone: '+12025550123',
  cc_emails: ['accounts@example.com'],
  cc_sms: [],
  ...nowhere,
  notes: null,
  reference: 'cust-1',
  meta: { tier: 'gold' },
  ...MADE,
}

export const examplePaymentMethod = {
  id: CARD,
  customer_id: CUSTOMER,
  method: 'card',
  nickname: 'Blue card',
  person_name: 'Ada Lovelace',
  card_type: 'visa',
  card_last_four: '1111',
  card_exp: '1230',
  bank_name: null,
  bank_type: null,
  bank_holder_type: null,
  bank_last_four: null,
  ...nowhere,
  is_default: true,
  meta: {},
  ...MADE,
}

export const examplePaymentLink = {
  id: LINK,
  common_name: 'Coffee',
  amount: 12.5,
  active: true,
  link_meta: { memo: 'A bag of beans', isTotalEditable: false },
  meta: {},
  url: `https://pay.example.com/pay/${LINK}`,
  qr_code_url: `https://pay.example.com/pay/${LINK}/qr.svg`,
  total_sales: 37.5,
  total_transactions: 3,
  ...times('2026-03-07T09:00:00.000Z'),
}

/** All fields, in the order of the answer. */
const payment = {
  id: CHARGE,
  type: 'charge',
  method: 'card',
  status: 'SUCCESS',
  success: true,
  message: 'Approved',
  decline_code: null,
  retry: null,
  total: 12.5,
  total_refunded: 5,
  currency: 'USD',
  pre_auth: false,
  is_captured: true,
  hold_ended_at: null,
  is_voided: false,
  is_voidable: false,
  is_refundable: true,
  is_manual: false,
  source: null,
  channel: null,
  customer_id: CUSTOMER,
  payment_method_id: CARD,
  invoice_id: null,
  schedule_id: null,
  payment_link_id: null,
  reference_id: null,
  auth_id: `sbx_${ID}000000000006`,
  batch_id: BATCH,
  batched_at: '2026-03-07T01:00:00.000Z',
  settled_at: '2026-03-07T01:00:00.000Z',
  idempotency_id: 'order-1',
  gateway_name: 'sandbox',
  last_four: '1111',
  meta: { poNumber: '4711' },
  receipt_email_at: null,
  receipt_sms_at: null,
  ...times('2026-03-08T12:00:00.250Z'),
}

const refund = {
  ...payment,
  id: `${ID}000000000005`,
  type: 'refund',
  total: 5,
  total_refunded: 0,
  is_captured: false,
  is_refundable: false,
  reference_id: CHARGE,
  auth_id: `sbx_${ID}000000000007`,
  batch_id: null,
  batched_at: null,
  settled_at: null,
  idempotency_id: null,
  meta: {},
  created_at: '2026-03-08T12:00:00.000Z',
  child_transactions: [],
  child_captures: [],
}

export const exampleTransaction = {
  ...payment,
  customer: exampleCustomer,
  payment_method: examplePaymentMethod,
  child_transactions: [refund],
  child_captures: [],
}

export const exampleEvent = {
  id: `${ID}000000000008`,
  type: 'create_customer',
  resource_id: CUSTOMER,
  sequence: 1,
  created_at: MADE.created_at,
  data: exampleCustomer,
}

/** What a key sees of itself. */
export const exampleSelf = {
  team: {
    id: `${ID}000000000012`,
    name: 'Corner shop',
    status: 'active',
    enabled: true,
    sms_enabled: false,
    split_funding_enabled: false,
    settlement_tokenization_enabled: false,
  },
  account: { id: `${ID}000000000013`, mode: 'sandbox', rate_limit_per_minute: 100 },
  key: { name: 'till', prefix: 'sk_sandbox_5b1f' },
}

export const exampleProblem = {
  error: 'invalid_request',
  message: 'total must be at least 0.01',
  errors: { total: ['must be at least 0.01'] },
  request_id: `${ID}00000000000f`,
}

/**
 * What comes with time, as the document shows it: the batch that has taken the example of a charge,
 * and what its customer is billed for.
 * It is of the Friday before the clocks of New York were set forward.
 */
export const exampleBatch = {
  id: exampleTransaction.batch_id,
  business_date: '2026-03-06',
  cutoff_at: exampleTransaction.batched_at,
  status: 'closed',
  count: 4,
  sales: 62.5,
  refunds: 5,
  net: 57.5,
  created_at: exampleTransaction.created_at,
  closed_at: exampleTransaction.batched_at,
  deposit_at: '2026-03-09T13:00:00.000Z',
}

/** The payer's bank contests the example of a charge. */
export const exampleDispute = {
  id: `${ID}000000000010`,
  transaction_id: CHARGE,
  status: 'needs_response',
  reason: 'fraudulent',
  amount: 12.5,
  currency: 'USD',
  gateway_name: 'stripe',
  gateway_id: 'du_1PgafTB1WZ3wKf2cJc',
  respond_by: '2026-03-31T23:59:59.000Z',
  opened_at: '2026-03-10T08:12:00.000Z',
  closed_at: null,
  created_at: '2026-03-10T08:12:03.456Z',
  updated_at: '2026-03-10T08:12:03.456Z',
}

/** The example of a refund did not reach the payer. */
export const exampleReversal = {
  id: `${ID}000000000011`,
  transaction_id: refund.id,
  kind: 'refund_failed',
  reason: 'lost_or_stolen_card',
  amount: refund.total,
  currency: 'USD',
  gateway_name: 'stripe',
  gateway_id: 're_1PgafTB1WZ3wKf2cJd',
  created_at: '2026-03-12T08:12:03.456Z',
}

/** Sent, and not yet paid. */
export const exampleInvoice = {
  id: '01941f29-7c00-7000-8000-00000000000b',
  status: 'SENT',
  total: 12.5,
  total_paid: 0,
  balance_due: 12.5,
  currency: 'USD',
  customer_id: exampleCustomer.id,
  payment_method_id: examplePaymentMethod.id,
  schedule_id: null,
  url: 'https://pay.example.com/bill/8d7e3a2b1c0d9e8f5b1f0c9be2a94c6f',
  meta: { poNumber: '4711' },
  due_at: '2026-04-01T00:00:00.000Z',
  sent_at: '2026-03-07T09:00:00.000Z',
  viewed_at: null,
  paid_at: null,
  next_retry_at: null,
  created_at: '2026-03-06T15:04:05.678Z',
  updated_at: '2026-03-07T09:00:00.000Z',
}

/** Summer time ends on the first of November, at two in the morning. */
const RUNS = [
  ...[4, 5, 6, 7, 8, 9, 10].map(
    (month) => `2026-${String(month).padStart(2, '0')}-01T13:00:00.000Z`,
  ),
  ...['2026-11', '2026-12', '2027-01', '2027-02', '2027-03'].map(
    (month) => `${month}-01T14:00:00.000Z`,
  ),
]

export const exampleSchedule = {
  id: '01941f29-7c00-7000-8000-00000000000a',
  status: 'active',
  total: 12.5,
  currency: 'USD',
  rule: 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0',
  start: '2026-02-01T09:00:00',
  timezone: 'America/New_York',
  rule_text: 'every month on the 1st at 09:00, America/New_York',
  customer_id: exampleCustomer.id,
  payment_method_id: examplePaymentMethod.id,
  email_notification: true,
  sms_notification: false,
  missed_runs: 'all',
  url: null,
  channel: null,
  meta: { memo: 'Coffee, each month' },
  count: 2,
  max_runs: null,
  end_at: null,
  last_run_at: '2026-03-01T14:00:12.345Z',
  last_invoice_status: 'PAID',
  next_run_at: RUNS[0],
  future_occurrences: RUNS,
  deleted_at: null,
  created_at: '2026-01-15T10:00:00.000Z',
  updated_at: '2026-03-01T14:00:12.345Z',
  customer: exampleCustomer,
  payment_method: examplePaymentMethod,
}

export const exampleClock = {
  now: '2026-03-07T12:00:00.000Z',
  status: 'advancing',
  target: '2026-04-01T00:00:00.000Z',
  progress: 0.25,
}

const TAKEN_AT = '2026-03-06T15:04:06.012Z'

/**
 * What leaves the service, as the document shows it: the receipt of the example of a charge, and an
 * endpoint that was told of the example of an event.
 */
export const exampleDelivery = {
  id: `${ID}00000000000c`,
  channel: 'email',
  subject: 'transaction',
  subject_id: exampleTransaction.id,
  recipient: exampleCustomer.email,
  status: 'sent',
  attempts: 1,
  next_attempt_at: null,
  provider_id: '250 2.0.0 OK 4711',
  last_error: null,
  reason: null,
  history: [{ at: '2026-03-06T15:04:05.800Z', ms: 212, answer: 'taken' }],
  created_at: exampleTransaction.created_at,
  updated_at: TAKEN_AT,
  sent_at: TAKEN_AT,
  delivered_at: null,
}

export const exampleWebhook = {
  id: `${ID}00000000000d`,
  target_url: 'https://shop.example.com/events',
  event: ['create_transaction', 'update_transaction'],
  status: 'active',
  disabled_reason: null,
  paused_at: null,
  replaying: false,
  created_at: '2026-03-06T15:00:00.000Z',
  updated_at: '2026-03-06T15:00:00.000Z',
}

export const exampleWebhookDelivery = {
  ...exampleDelivery,
  id: `${ID}00000000000e`,
  channel: 'webhook',
  subject: 'event',
  subject_id: exampleEvent.id,
  recipient: exampleWebhook.id,
  provider_id: null,
  history: [{ at: '2026-03-06T15:04:05.800Z', ms: 212, answer: 'taken', detail: '200 OK' }],
  event_id: exampleEvent.id,
  event: exampleEvent.type,
}
