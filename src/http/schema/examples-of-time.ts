// What comes with time, as the document shows it: the batch that has taken the example of a charge,
// and what its customer is billed for.

import { exampleCustomer, examplePaymentMethod, exampleTransaction } from './examples.ts'

/** Of the Friday before the clocks of New York were set forward. */
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
