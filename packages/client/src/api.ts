// Made by `npm run openapi`; do not edit.

import type {CallOptions, KeyedCallOptions, Page, PaymentCallOptions} from './call-options.ts'

/**
 * With `link_meta` the body creates a payment link; without it, it is a query.
 */
export type QueryPaymentLinksInput =
  | {
      /**
       * The merchant’s name for the link.
       */
      common_name: string
      /**
       * The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 means no amount.
       */
      amount?: number | string | null
      /**
       * Whether payers can pay through it; true when absent at creation.
       */
      active?: true | false | 0 | 1 | '0' | '1' | null
      /**
       * Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text.
       */
      link_meta: {
        /**
         * Shown to the payer.
         */
        memo?: string | null
        /**
         * The page for the payer after a payment: an http or https address.
         */
        successRedirect?: string | null
        /**
         * The payer may change the amount.
         */
        isTotalEditable?: true | false | 0 | 1 | '0' | '1' | null
        [k: string]: unknown
      }
      /**
       * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
       */
      meta?: {
        [k: string]: unknown
      } | null
      currency?: 'USD' | null
      /**
       * The same as the header Idempotency-Key.
       */
      idempotency_id?: string | null
    }
  | {
      /**
       * 1 when absent.
       */
      page?: number | string | null
      /**
       * 1 to 200; 50 when absent.
       */
      limit?: number | string | null
      /**
       * The same as limit.
       */
      per_page?: number | string | null
      sort?: 'common_name' | 'amount' | 'created_at' | 'total_sales' | 'total_transactions' | null
      /**
       * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
       */
      order?: string | null
      /**
       * Exactly this amount; 0 finds links without one.
       */
      amount?: number | string | null
      /**
       * An exact match, ignoring case.
       */
      common_name?: string | null
      /**
       * Only active links, or only inactive ones.
       */
      active?: true | false | 0 | 1 | '0' | '1' | null
      /**
       * One text, or a list of texts that must all be found.
       *
       * @maxItems 10
       */
      keywords?: string | string[] | null
      /**
       * No filter: accepted because clients of other services send user_id with this list.
       */
      user_id?: string | null
      /**
       * No filter; accepted.
       */
      meta?: {
        [k: string]: unknown
      } | null
      /**
       * Refused: a body that creates a link has link_meta.
       */
      url?: {
        [k: string]: unknown
      }
    }
export type QueryPaymentLinksAnswer =
  | {
      data: PaymentLink[]
      /**
       * How many the filters find, on all pages.
       */
      total: number
      per_page: number
      current_page: number
      last_page: number
      /**
       * The position of the first row of this page in the list, from 1; null if the page is empty.
       */
      from: number | null
      /**
       * The position of the last row of this page in the list; null if the page is empty.
       */
      to: number | null
      next_page_url: string | null
      prev_page_url: string | null
    }
  | {
      status: 200
      message: string
      body: PaymentLink
    }

/**
 * The events of webhooks, each with the resource that it carries.
 */
export interface WebhookEvents {
  create_transaction: Transaction
  update_transaction: Transaction
  update_transaction_settled: Transaction
  create_invoice: Invoice
  update_invoice: Invoice
  create_scheduled_invoice: ScheduledInvoice
  update_scheduled_invoice: ScheduledInvoice
  delete_scheduled_invoice: ScheduledInvoice
  create_customer: Customer
  update_customer: Customer
  delete_customer: Customer
  create_payment_method: PaymentMethod
  update_payment_method: PaymentMethod
  delete_payment_method: PaymentMethod
  create_payment_link: PaymentLink
  update_payment_link: PaymentLink
  delete_payment_link: PaymentLink
  create_batch: Batch
  create_deposit: Batch
  deposit_failed: Batch
  create_dispute: Dispute
  update_dispute: Dispute
  create_reversal: Reversal
  webhook_disabled: Webhook
  webhook_test: Webhook
}
export interface Transaction {
  id: string
  type: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
  method: 'card' | 'bank' | 'cash' | 'check'
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  success: boolean | null
  message: string | null
  /**
   * Why the gateway declined it. card_declined: the bank declined it and seldom says why, except to the payer; insufficient_funds: there is not enough money, or a limit of the card is reached; expired_card: the card has expired; incorrect_card_data: the number, expiry, security code or address is not that of the card; lost_or_stolen_card: the card is reported lost or stolen, or is restricted; suspected_fraud: the bank or the gateway suspects fraud; authentication_required: the payer has to confirm it to the bank, on the page of a bill or a payment link; bank_account_unusable: the bank account is closed, unknown, restricted or not verified; debit_not_authorized: the account holder does not allow the debit; hold_ended: the hold has ended; canceled: it was canceled at the gateway; nothing_left: nothing is left to capture or to return; processing_error: the gateway or the bank could not process it at that time; request_refused: the gateway refused the request itself, and its message says why. There may be more later.
   */
  decline_code: string | null
  /**
   * Whether another try of a declined payment is worth it. now: the same payment may be tried again at once; later: it may be tried again after hours or days; never: not with this payment method as it is.
   */
  retry: string | null
  /**
   * Major units.
   */
  total: number
  /**
   * What was refunded of it, in major units. It stays 0 for a pre_auth, whose captures are refunded.
   */
  total_refunded: number
  currency: string
  pre_auth: boolean
  /**
   * Whether something of it was captured, also if that capture was voided since. With the `stax` dialect it is 0 or 1.
   */
  is_captured: boolean
  /**
   * For a pre_auth: when the gateway released the rest that was not captured. Some gateways grant one capture of a hold, and holds end by themselves after days.
   */
  hold_ended_at: string | null
  is_voided: boolean
  is_voidable: boolean
  /**
   * Disputes and returned debits do not change it; what the bank has taken back is refused all the same.
   */
  is_refundable: boolean
  is_manual: boolean
  source: string | null
  channel: string | null
  customer_id: string
  payment_method_id: string
  invoice_id: string | null
  schedule_id: string | null
  payment_link_id: string | null
  reference_id: string | null
  auth_id: string | null
  batch_id: string | null
  batched_at: string | null
  settled_at: string | null
  idempotency_id: string | null
  gateway_name: string | null
  last_four: string | null
  meta: {
    [k: string]: unknown
  }
  receipt_email_at: string | null
  receipt_sms_at: string | null
  created_at: string
  /**
   * The last change. Settlement does not change it; see settled_at.
   */
  updated_at: string
  customer: Customer
  payment_method: PaymentMethod
  /**
   * Its voids and refunds, the oldest first.
   */
  child_transactions: ChildTransaction[]
  /**
   * The captures of a pre_auth, the oldest first.
   */
  child_captures: ChildTransaction[]
}
export interface Customer {
  id: string
  firstname: string | null
  lastname: string | null
  company: string | null
  email: string | null
  phone: string | null
  cc_emails: string[]
  cc_sms: string[]
  address_1: string | null
  address_2: string | null
  address_city: string | null
  address_state: string | null
  address_zip: string | null
  address_country: string | null
  notes: string | null
  reference: string | null
  meta: {
    [k: string]: unknown
  }
  created_at: string
  updated_at: string
}
export interface PaymentMethod {
  id: string
  /**
   * null for cash and check, which are built in.
   */
  customer_id: string | null
  method: 'card' | 'bank' | 'cash' | 'check'
  nickname: string | null
  person_name: string
  card_type: string | null
  card_last_four: string | null
  /**
   * MMYY.
   */
  card_exp: string | null
  bank_name: string | null
  bank_type: string | null
  bank_holder_type: string | null
  bank_last_four: string | null
  address_1: string | null
  address_2: string | null
  address_city: string | null
  address_state: string | null
  address_zip: string | null
  address_country: string | null
  is_default: boolean
  meta: {
    [k: string]: unknown
  }
  created_at: string
  updated_at: string
}
/**
 * Customer and payment method are those of its parent.
 */
export interface ChildTransaction {
  id: string
  type: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit'
  method: 'card' | 'bank' | 'cash' | 'check'
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  success: boolean | null
  message: string | null
  /**
   * Why the gateway declined it. card_declined: the bank declined it and seldom says why, except to the payer; insufficient_funds: there is not enough money, or a limit of the card is reached; expired_card: the card has expired; incorrect_card_data: the number, expiry, security code or address is not that of the card; lost_or_stolen_card: the card is reported lost or stolen, or is restricted; suspected_fraud: the bank or the gateway suspects fraud; authentication_required: the payer has to confirm it to the bank, on the page of a bill or a payment link; bank_account_unusable: the bank account is closed, unknown, restricted or not verified; debit_not_authorized: the account holder does not allow the debit; hold_ended: the hold has ended; canceled: it was canceled at the gateway; nothing_left: nothing is left to capture or to return; processing_error: the gateway or the bank could not process it at that time; request_refused: the gateway refused the request itself, and its message says why. There may be more later.
   */
  decline_code: string | null
  /**
   * Whether another try of a declined payment is worth it. now: the same payment may be tried again at once; later: it may be tried again after hours or days; never: not with this payment method as it is.
   */
  retry: string | null
  /**
   * Major units.
   */
  total: number
  /**
   * What was refunded of it, in major units. It stays 0 for a pre_auth, whose captures are refunded.
   */
  total_refunded: number
  currency: string
  pre_auth: boolean
  /**
   * Whether something of it was captured, also if that capture was voided since. With the `stax` dialect it is 0 or 1.
   */
  is_captured: boolean
  /**
   * For a pre_auth: when the gateway released the rest that was not captured. Some gateways grant one capture of a hold, and holds end by themselves after days.
   */
  hold_ended_at: string | null
  is_voided: boolean
  is_voidable: boolean
  /**
   * Disputes and returned debits do not change it; what the bank has taken back is refused all the same.
   */
  is_refundable: boolean
  is_manual: boolean
  source: string | null
  channel: string | null
  customer_id: string
  payment_method_id: string
  invoice_id: string | null
  schedule_id: string | null
  payment_link_id: string | null
  reference_id: string | null
  auth_id: string | null
  batch_id: string | null
  batched_at: string | null
  settled_at: string | null
  idempotency_id: string | null
  gateway_name: string | null
  last_four: string | null
  meta: {
    [k: string]: unknown
  }
  receipt_email_at: string | null
  receipt_sms_at: string | null
  created_at: string
  /**
   * The last change. Settlement does not change it; see settled_at.
   */
  updated_at: string
  /**
   * Its voids and refunds, the oldest first.
   */
  child_transactions: ChildTransaction[]
  /**
   * The captures of a pre_auth, the oldest first.
   */
  child_captures: ChildTransaction[]
}
export interface Invoice {
  id: string
  status:
    'DRAFT' | 'SENT' | 'VIEWED' | 'PAID' | 'PARTIALLY APPLIED' | 'ATTEMPTED' | 'VOID' | 'DELETED'
  /**
   * Major units.
   */
  total: number
  /**
   * What its payment brought, in major units. Refunds of the payment are not subtracted.
   */
  total_paid: number
  /**
   * What is left to pay, in major units: 0 for an invoice that is DELETED or VOID.
   */
  balance_due: number
  /**
   * Whether a payment of it is under way. Until that is decided no other can begin, and `balance_due` is still the whole balance.
   */
  payment_under_way: boolean
  currency: string
  customer_id: string
  payment_method_id: string | null
  schedule_id: string | null
  /**
   * The page on which it can be paid.
   */
  url: string
  meta: {
    [k: string]: unknown
  }
  due_at: string | null
  sent_at: string | null
  viewed_at: string | null
  paid_at: string | null
  /**
   * When a failed automatic payment is retried.
   */
  next_retry_at: string | null
  created_at: string
  updated_at: string
}
export interface ScheduledInvoice {
  id: string
  status: 'active' | 'paused' | 'deleted'
  /**
   * Major units.
   */
  total: number
  currency: string
  /**
   * Without its start.
   */
  rule: string
  /**
   * Local time of `timezone`; or UTC with `Z`, if that local time comes twice and the second one is meant.
   */
  start: string
  timezone: string
  /**
   * The rule in words.
   */
  rule_text: string
  customer_id: string
  payment_method_id: string | null
  email_notification: boolean
  sms_notification: boolean
  missed_runs: 'all' | 'one' | 'skip'
  url: string | null
  channel: string | null
  meta: {
    [k: string]: unknown
  }
  /**
   * Runs so far.
   */
  count: number
  /**
   * COUNT of the rule. It counts all occurrences, also skipped ones.
   */
  max_runs: number | null
  end_at: string | null
  last_run_at: string | null
  last_invoice_status:
    | 'DRAFT'
    | 'SENT'
    | 'VIEWED'
    | 'PAID'
    | 'PARTIALLY APPLIED'
    | 'ATTEMPTED'
    | 'VOID'
    | 'DELETED'
    | null
  next_run_at: string | null
  /**
   * The next 12 runs.
   *
   * @maxItems 12
   */
  future_occurrences: string[]
  deleted_at: string | null
  created_at: string
  updated_at: string
  customer: Customer
  payment_method: PaymentMethod | null
}
export interface PaymentLink {
  id: string
  common_name: string
  /**
   * Major units; null if the payer enters the amount.
   */
  amount: number | null
  active: boolean
  link_meta: {
    [k: string]: unknown
  }
  meta: {
    [k: string]: unknown
  }
  /**
   * The page that a payer opens.
   */
  url: string
  /**
   * An SVG image with a QR code of the page.
   */
  qr_code_url: string
  /**
   * The sum of the successful payments in major units. Later voids and refunds are not subtracted, and a change writes no event.
   */
  total_sales: number
  /**
   * The number of successful payments, voided and refunded ones included.
   */
  total_transactions: number
  created_at: string
  updated_at: string
}
/**
 * The sums of an unclosed batch are those that it would close with now.
 */
export interface Batch {
  id: string
  /**
   * The date of its cutoff, on the account's wall clock.
   */
  business_date: string
  /**
   * Payments that succeed at this instant or later are not in it.
   */
  cutoff_at: string
  /**
   * open: it takes payments that succeed; closing: its cutoff has passed; closed: for good.
   */
  status: 'open' | 'closing' | 'closed'
  /**
   * The number of its sales and refunds.
   */
  count: number
  /**
   * The sum of its charges and captures, in major units.
   */
  sales: number
  /**
   * The sum of its refunds, in major units.
   */
  refunds: number
  /**
   * sales − refunds.
   */
  net: number
  created_at: string
  closed_at: string | null
  /**
   * When its money arrives, once that is known: by the calendar from its closing on; where the gateway pays out, from its last payout on. Null again if a payout fails.
   */
  deposit_at: string | null
  /**
   * What the gateway has kept of its sales and refunds, in major units. Null while that is unknown: until paid payouts hold all of them, and where the gateway does not report its payouts. Fees that it charges by themselves, and those of disputes, are not in it.
   */
  fees: number | null
  /**
   * sales − refunds − fees. Null while the fees are unknown.
   */
  net_after_fees: number | null
}
/**
 * A payer contests a payment at their bank.
 */
export interface Dispute {
  id: string
  /**
   * The contested payment, which stays as it is.
   */
  transaction_id: string
  /**
   * warning: the bank asks, and has taken no money; warning_closed: that ended without a dispute; needs_response: the bank has taken the money, and you can contest that; under_review: the bank decides; won: the money is yours again; lost: it is not.
   */
  status: 'warning' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost'
  /**
   * The gateway's own word for it.
   */
  reason: string
  /**
   * Major units. It may be a part of the payment.
   */
  amount: number
  currency: string
  gateway_name: string
  /**
   * The id that the gateway gave it.
   */
  gateway_id: string
  /**
   * Until when you can answer, in the gateway's dashboard; null if you cannot.
   */
  respond_by: string | null
  opened_at: string
  closed_at: string | null
  created_at: string
  updated_at: string
}
/**
 * Money of a successful transaction that moved back.
 */
export interface Reversal {
  id: string
  /**
   * The refund or the charge, whose status stays SUCCESS.
   */
  transaction_id: string
  /**
   * refund_failed: the refund did not reach the payer, and its money is in your balance again; those who were sent its receipt are sent a correction. debit_returned: the payer's bank took the debit back. An invoice that it paid stays PAID, and its page says so; bill the customer anew.
   */
  kind: 'refund_failed' | 'debit_returned'
  /**
   * The gateway's own word for it.
   */
  reason: string
  /**
   * Major units.
   */
  amount: number
  currency: string
  gateway_name: string
  /**
   * The id that the gateway gave it.
   */
  gateway_id: string
  created_at: string
}
/**
 * Its times are real time, even if the account has a clock of its own.
 */
export interface Webhook {
  id: string
  /**
   * As it was sent.
   */
  target_url: string
  /**
   * A list of one name is returned as that name.
   */
  event: string | string[]
  status: 'active' | 'disabled'
  /**
   * Why the service disabled it; null if you did.
   */
  disabled_reason: string | null
  /**
   * Since when the operator of the service has paused it: its deliveries wait, and none is lost. Usually null.
   */
  paused_at: string | null
  /**
   * A replay is under way: some of its events are not queued yet.
   */
  replaying: boolean
  created_at: string
  updated_at: string
}
export interface ErrorBody {
  error:
    | 'invalid_request'
    | 'unknown_field'
    | 'partial_payment_not_supported'
    | 'invalid_json'
    | 'invalid_id'
    | 'rule_too_complex'
    | 'clock_advance_too_large'
    | 'no_recipient'
    | 'card_data_not_accepted'
    | 'unauthorized'
    | 'team_inactive'
    | 'team_disabled'
    | 'sms_not_enabled'
    | 'split_funding_not_enabled'
    | 'sandbox_only'
    | 'invalid_signature'
    | 'not_found'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'expectation_failed'
    | 'headers_too_large'
    | 'too_many_exports'
    | 'rate_limited'
    | 'transaction_immutable'
    | 'wrong_state'
    | 'already_voided'
    | 'already_batched'
    | 'not_batched_yet'
    | 'not_refundable_yet'
    | 'partial_void_not_supported'
    | 'settlement_tokenization_required'
    | 'refund_exceeds_remaining'
    | 'refund_mismatch'
    | 'capture_exceeds_remaining'
    | 'payment_link_inactive'
    | 'payment_link_deleted'
    | 'in_use'
    | 'invoice_already_paid'
    | 'sent_too_often'
    | 'payment_under_way'
    | 'too_many_webhooks'
    | 'replay_under_way'
    | 'clock_advancing'
    | 'clock_backwards'
    | 'clock_ahead'
    | 'idempotency_conflict'
    | 'internal_error'
    | 'unavailable'
    | 'overloaded'
    | 'no_live_gateway'
  message: string
  /**
   * Faults by field; nested fields are dotted.
   */
  errors?: {
    [k: string]: string[]
  }
  request_id: string
}
export interface Item {
  id: string
  item: string
  code: string | null
  details: string | null
  /**
   * Major units; null if it has no fixed price.
   */
  price: number | null
  is_active: boolean
  is_taxable: boolean
  is_service: boolean
  /**
   * null: the merchant does not count them. No payment changes it.
   */
  in_stock: number | null
  meta: {
    [k: string]: unknown
  }
  created_at: string
  updated_at: string
  deleted_at: string | null
}
export interface Deposit {
  id: string
  /**
   * The batch, which is the deposit: the same id.
   */
  batch_id: string
  business_date: string
  /**
   * When its batch was closed.
   */
  batched_at: string
  /**
   * When the money arrives.
   */
  deposit_at: string
  /**
   * The number of its sales and refunds.
   */
  count: number
  /**
   * sales − refunds, in major units, before fees.
   */
  sum: number
  /**
   * Major units.
   */
  sales: number
  /**
   * Major units.
   */
  refunds: number
  /**
   * sum / count, rounded to the cent.
   */
  avg: number
  /**
   * What the gateway has kept of its sales and refunds, in major units. Null while that is unknown: until paid payouts hold all of them, and where the gateway does not report its payouts. Fees that it charges by themselves, and those of disputes, are not in it.
   */
  fees: number | null
  /**
   * sales − refunds − fees. Null while the fees are unknown.
   */
  net_after_fees: number | null
}
export interface DepositTransaction {
  transaction_id: string
  batch_id: string
  batched_at: string
  created_at: string
  type: 'charge' | 'capture' | 'refund'
  method: 'card' | 'bank'
  /**
   * Major units.
   */
  total: number
  /**
   * Its amount in the deposit: negative for a refund.
   */
  net: number
  last_four: string | null
  card_type: string | null
  auth_id: string | null
  customer_id: string
  invoice_id: string | null
}
export interface Event {
  id: string
  type: string
  resource_id: string
  /**
   * Rises with every change of the resource, from 1; numbers may be skipped.
   */
  sequence: number
  created_at: string
  /**
   * The resource as its GET returned it after the change.
   */
  data: {
    [k: string]: unknown
  }
}
/**
 * Its times are real time, even if the account has a clock of its own.
 */
export interface Delivery {
  id: string
  channel: 'email' | 'sms' | 'webhook'
  /**
   * The resource that the message is about.
   */
  subject: 'transaction' | 'invoice' | 'webhook' | 'event'
  subject_id: string
  /**
   * An e-mail address, a phone number in E.164, or an endpoint's id.
   */
  recipient: string
  /**
   * pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good.
   */
  status: 'pending' | 'sent' | 'delivered' | 'parked'
  /**
   * Counted tries. While a provider is unavailable, none is counted.
   */
  attempts: number
  next_attempt_at: string | null
  /**
   * The id that the provider gave it.
   */
  provider_id: string | null
  last_error: string | null
  /**
   * Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked. sandbox_limit: the sandbox account had sent as many messages as it may within a day.
   */
  reason:
    | 'refused'
    | 'opted_out'
    | 'out_of_tries'
    | 'expired'
    | 'undelivered'
    | 'no_target'
    | 'suppressed'
    | 'sandbox_limit'
    | null
  /**
   * Its attempts, the oldest first.
   */
  history: {
    /**
     * When it began.
     */
    at: string
    /**
     * How long it took.
     */
    ms?: number
    /**
     * The result of the attempt.
     */
    answer?:
      'taken' | 'refused' | 'failed' | 'silent' | 'throttled' | 'away' | 'delivered' | 'undelivered'
    /**
     * For people.
     */
    detail?: string
    /**
     * Instead of a result: the operator retried it.
     */
    by?: 'operator'
  }[]
  created_at: string
  updated_at: string
  sent_at: string | null
  delivered_at: string | null
}
export interface WebhookWithSecret {
  id: string
  /**
   * As it was sent.
   */
  target_url: string
  /**
   * A list of one name is returned as that name.
   */
  event: string | string[]
  status: 'active' | 'disabled'
  /**
   * Why the service disabled it; null if you did.
   */
  disabled_reason: string | null
  /**
   * Since when the operator of the service has paused it: its deliveries wait, and none is lost. Usually null.
   */
  paused_at: string | null
  /**
   * A replay is under way: some of its events are not queued yet.
   */
  replaying: boolean
  created_at: string
  updated_at: string
  /**
   * Signs its deliveries. Shown only once; null if a creation is repeated after the secret was rolled.
   */
  secret: string | null
}
export interface WebhookDelivery {
  id: string
  channel: 'email' | 'sms' | 'webhook'
  /**
   * The resource that the message is about.
   */
  subject: 'transaction' | 'invoice' | 'webhook' | 'event'
  subject_id: string
  /**
   * An e-mail address, a phone number in E.164, or an endpoint's id.
   */
  recipient: string
  /**
   * pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good.
   */
  status: 'pending' | 'sent' | 'delivered' | 'parked'
  /**
   * Counted tries. While a provider is unavailable, none is counted.
   */
  attempts: number
  next_attempt_at: string | null
  /**
   * The id that the provider gave it.
   */
  provider_id: string | null
  last_error: string | null
  /**
   * Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked. sandbox_limit: the sandbox account had sent as many messages as it may within a day.
   */
  reason:
    | 'refused'
    | 'opted_out'
    | 'out_of_tries'
    | 'expired'
    | 'undelivered'
    | 'no_target'
    | 'suppressed'
    | 'sandbox_limit'
    | null
  /**
   * Its attempts, the oldest first.
   */
  history: {
    /**
     * When it began.
     */
    at: string
    /**
     * How long it took.
     */
    ms?: number
    /**
     * The result of the attempt.
     */
    answer?:
      'taken' | 'refused' | 'failed' | 'silent' | 'throttled' | 'away' | 'delivered' | 'undelivered'
    /**
     * For people.
     */
    detail?: string
    /**
     * Instead of a result: the operator retried it.
     */
    by?: 'operator'
  }[]
  created_at: string
  updated_at: string
  sent_at: string | null
  delivered_at: string | null
  /**
   * The `webhook-id` of its requests.
   */
  event_id: string
  /**
   * The name of the event; null once the event is deleted, after 30 days.
   */
  event: string | null
}
export interface SandboxClock {
  now: string
  status: 'ready' | 'advancing'
  /**
   * The instant to which it is being advanced.
   */
  target: string | null
  /**
   * The part of the advance that is done.
   */
  progress: number | null
}
export interface GetHealthAnswer {
  status: 'ok' | 'not ready' | 'stuck'
  reason?: string
}
export interface GetReadinessAnswer {
  status: 'ok' | 'not ready' | 'stuck'
  reason?: string
}
export interface GetSelfAnswer {
  team: {
    id: string
    name: string
    status: 'active' | 'inactive'
    enabled: boolean
    sms_enabled: boolean
    split_funding_enabled: boolean
    settlement_tokenization_enabled: boolean
  }
  account: {
    id: string
    mode: 'sandbox' | 'live'
    rate_limit_per_minute: number
  }
  key: {
    name: string
    prefix: string
    /**
     * The form of answers to this key.
     */
    dialect: 'standard' | 'stax'
  }
}
/**
 * At least one of firstname, lastname, company and email.
 */
export interface CreateCustomerInput {
  /**
   * First name.
   */
  firstname?: string | null
  /**
   * Last name.
   */
  lastname?: string | null
  /**
   * Company.
   */
  company?: string | null
  email?: string | null
  /**
   * E.164, or national digits of the United States. 10 to 15 digits that are no valid number are kept as typed, and no text is sent to them.
   */
  phone?: string | null
  /**
   * Addresses that get a copy of every receipt.
   *
   * @maxItems 10
   */
  cc_emails?: string[] | null
  /**
   * Addresses that get a copy of every receipt.
   *
   * @maxItems 10
   */
  cc_sms?: string[] | null
  /**
   * Street.
   */
  address_1?: string | null
  /**
   * Second line.
   */
  address_2?: string | null
  /**
   * City.
   */
  address_city?: string | null
  /**
   * State.
   */
  address_state?: string | null
  /**
   * ZIP or postal code.
   */
  address_zip?: string | null
  /**
   * Country.
   */
  address_country?: string | null
  /**
   * Notes that only the merchant sees.
   */
  notes?: string | null
  /**
   * The merchant’s own reference for the customer.
   */
  reference?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface ListCustomersQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at' | 'firstname' | 'lastname' | 'company' | 'email'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * An exact match, ignoring case.
   */
  firstname?: string
  /**
   * An exact match, ignoring case.
   */
  lastname?: string
  /**
   * An exact match, ignoring case.
   */
  company?: string
  /**
   * An exact match, ignoring case.
   */
  email?: string
  /**
   * An exact match, ignoring case.
   */
  phone?: string
  /**
   * An exact match, ignoring case.
   */
  cc_emails?: string
  /**
   * An exact match, ignoring case.
   */
  cc_sms?: string
  /**
   * An exact match, ignoring case.
   */
  address_1?: string
  /**
   * An exact match, ignoring case.
   */
  address_2?: string
  /**
   * An exact match, ignoring case.
   */
  address_city?: string
  /**
   * An exact match, ignoring case.
   */
  address_state?: string
  /**
   * An exact match, ignoring case.
   */
  address_zip?: string
  /**
   * An exact match, ignoring case.
   */
  address_country?: string
  /**
   * An exact match, ignoring case.
   */
  notes?: string
  /**
   * An exact match, ignoring case.
   */
  reference?: string
  /**
   * Text to find; if repeated, each must be found. 255 characters together at most.
   *
   * @maxItems 10
   *
   * Items: Each must be found in the name, company, email, phone or reference.
   */
  keywords?: string[]
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
  /**
   * No filter: accepted because clients of other services send meta with this list.
   */
  meta?: string
}
/**
 * Absent fields keep their value; meta and lists are replaced as a whole.
 */
export interface UpdateCustomerInput {
  /**
   * First name.
   */
  firstname?: string | null
  /**
   * Last name.
   */
  lastname?: string | null
  /**
   * Company.
   */
  company?: string | null
  email?: string | null
  /**
   * E.164, or national digits of the United States. 10 to 15 digits that are no valid number are kept as typed, and no text is sent to them.
   */
  phone?: string | null
  /**
   * Addresses that get a copy of every receipt.
   *
   * @maxItems 10
   */
  cc_emails?: string[] | null
  /**
   * Addresses that get a copy of every receipt.
   *
   * @maxItems 10
   */
  cc_sms?: string[] | null
  /**
   * Street.
   */
  address_1?: string | null
  /**
   * Second line.
   */
  address_2?: string | null
  /**
   * City.
   */
  address_city?: string | null
  /**
   * State.
   */
  address_state?: string | null
  /**
   * ZIP or postal code.
   */
  address_zip?: string | null
  /**
   * Country.
   */
  address_country?: string | null
  /**
   * Notes that only the merchant sees.
   */
  notes?: string | null
  /**
   * The merchant’s own reference for the customer.
   */
  reference?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * Names of fields to empty. null leaves a field as it is.
   *
   * @maxItems 13
   */
  remove?:
    | (
        | 'firstname'
        | 'lastname'
        | 'company'
        | 'email'
        | 'phone'
        | 'address_1'
        | 'address_2'
        | 'address_city'
        | 'address_state'
        | 'address_zip'
        | 'address_country'
        | 'notes'
        | 'reference'
      )[]
    | null
}
export interface CreatePaymentMethodInput {
  /**
   * Its customer. If absent, a customer is created from person_name.
   */
  customer_id?: string | null
  method: 'card' | 'bank'
  /**
   * Sandbox only; becomes a token at once.
   */
  card_number?: string | null
  /**
   * Checked, never stored.
   */
  card_cvv?: string | null
  /**
   * Sandbox only; becomes a token at once.
   */
  bank_account?: string | null
  /**
   * Nine digits.
   */
  bank_routing?: string | null
  /**
   * The gateway’s own token, instead of numbers. In the sandbox one for tests, such as tok_sandbox_visa_approve or tok_sandbox_visa_decline (visa, mastercard, amex, discover, bank), or one that the sandbox gave a payer’s browser.
   */
  payment_method_token?: string | null
  /**
   * The payer's name for it.
   */
  nickname?: string | null
  /**
   * The name on the card or of the account.
   */
  person_name: string
  /**
   * When the card expires: MMYY, MM/YY, MMYYYY or MM/YYYY.
   */
  card_exp?: string | null
  /**
   * Name of the bank.
   */
  bank_name?: string | null
  bank_type?: 'checking' | 'savings' | null
  bank_holder_type?: 'personal' | 'business' | null
  /**
   * Street.
   */
  address_1?: string | null
  /**
   * Second line.
   */
  address_2?: string | null
  /**
   * City.
   */
  address_city?: string | null
  /**
   * State.
   */
  address_state?: string | null
  /**
   * ZIP or postal code.
   */
  address_zip?: string | null
  /**
   * Country.
   */
  address_country?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * true makes it the default of its customer, in place of the former one; false does not. When absent, it becomes the default of a customer who has none.
   */
  is_default?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface ListPaymentMethodsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * The customer.
   */
  customer_id?: string
  /**
   * Only this method.
   */
  method?: 'card' | 'bank'
}
/**
 * Absent fields keep their value; meta is replaced as a whole.
 */
export interface UpdatePaymentMethodInput {
  /**
   * The payer's name for it.
   */
  nickname?: string | null
  /**
   * The name on the card or of the account.
   */
  person_name?: string | null
  /**
   * When the card expires: MMYY, MM/YY, MMYYYY or MM/YYYY.
   */
  card_exp?: string | null
  /**
   * Name of the bank.
   */
  bank_name?: string | null
  bank_type?: 'checking' | 'savings' | null
  bank_holder_type?: 'personal' | 'business' | null
  /**
   * Street.
   */
  address_1?: string | null
  /**
   * Second line.
   */
  address_2?: string | null
  /**
   * City.
   */
  address_city?: string | null
  /**
   * State.
   */
  address_state?: string | null
  /**
   * ZIP or postal code.
   */
  address_zip?: string | null
  /**
   * Country.
   */
  address_country?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * Names of fields to empty. null leaves a field as it is.
   *
   * @maxItems 10
   */
  remove?:
    | (
        | 'nickname'
        | 'bank_name'
        | 'bank_type'
        | 'bank_holder_type'
        | 'address_1'
        | 'address_2'
        | 'address_city'
        | 'address_state'
        | 'address_zip'
        | 'address_country'
      )[]
    | null
  /**
   * true makes it the default of its customer, in place of the former one; false ends that.
   */
  is_default?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Cannot be changed.
   */
  customer_id?: string | null
  /**
   * Cannot be changed.
   */
  method?: string | null
  /**
   * Cannot be changed.
   */
  card_number?: null
  /**
   * Cannot be changed.
   */
  card_cvv?: null
  /**
   * Cannot be changed.
   */
  bank_account?: null
  /**
   * Cannot be changed.
   */
  bank_routing?: null
  /**
   * Cannot be changed.
   */
  payment_method_token?: null
}
export interface CreateChargeInput {
  /**
   * The amount to charge. A decimal in major units, as a number or as text.
   */
  total: number | string
  /**
   * The card or bank account to charge.
   */
  payment_method_id: string
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * Only authorize; capture later.
   */
  pre_auth?: true | false | 0 | 1 | '0' | '1' | null
  currency?: 'USD' | null
  /**
   * The origin of the payment, such as card_present.
   */
  channel?: string | null
  /**
   * The invoice that it pays; `total` is its balance due.
   */
  invoice_id?: string | null
  /**
   * The payment link through which it came.
   */
  payment_link_id?: string | null
  /**
   * Split Funding, in the sandbox only: shares that add up to the total.
   *
   * @minItems 1
   * @maxItems 100
   */
  funding?:
    | {
        /**
         * The account that gets the share.
         */
        account_id: string
        /**
         * The share. A decimal in major units, as a number or as text.
         */
        amount: number | string
        /**
         * The purpose of the share.
         */
        memo?: string
      }[]
    | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface ListTransactionsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at' | 'total' | 'last_four' | 'status'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only this type; `pre auth` is the same as pre_auth.
   */
  type?: 'charge' | 'pre_auth' | 'capture' | 'void' | 'refund' | 'credit' | 'pre auth'
  /**
   * Only this status; `all` is no filter.
   */
  status?: 'PENDING' | 'SUCCESS' | 'FAILED' | 'all'
  /**
   * Only this method.
   */
  method?: 'card' | 'bank' | 'cash' | 'check'
  /**
   * The outcome; neither value matches a PENDING transaction.
   */
  success?: true | false | 'true' | 'false' | '0' | '1'
  /**
   * Whether it was recorded by hand.
   */
  is_manual?: true | false | 'true' | 'false' | '0' | '1'
  /**
   * Authorizations, or other payments.
   */
  pre_auth?: true | false | 'true' | 'false' | '0' | '1'
  /**
   * The customer.
   */
  customer_id?: string
  /**
   * The payment method.
   */
  payment_method_id?: string
  /**
   * The invoice that it pays.
   */
  invoice_id?: string
  /**
   * The schedule that made it.
   */
  schedule_id?: string
  /**
   * The payment link.
   */
  payment_link_id?: string
  /**
   * The batch, once it is closed; refunds in it are listed too.
   */
  batch_id?: string
  /**
   * Exactly this total. A decimal in major units, as a number or as text.
   */
  total?: number | string
  /**
   * At least this total. A decimal in major units, as a number or as text.
   */
  minTotal?: number | string
  /**
   * At most this total. A decimal in major units, as a number or as text.
   */
  maxTotal?: number | string
  /**
   * The last digits of the card or the account.
   */
  last_four?: string
  /**
   * Text to find; if repeated, each must be found. 255 characters together at most.
   *
   * @maxItems 10
   *
   * Items: Must be found: in the customer's name, company, e-mail address, phone number or reference, in the message or source of one that failed or was recorded by hand, or as a whole: the last four digits, the id, auth_id, idempotency_id, meta.reference or meta.poNumber.
   */
  keywords?: string[]
  /**
   * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
  /**
   * Captures, voids and refunds too; a filter on these types or on batch_id implies it.
   */
  all?: true | false | 'true' | 'false' | '0' | '1'
  /**
   * The same as all.
   */
  allTransactionsTopLevel?: true | false | 'true' | 'false' | '0' | '1'
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
  /**
   * No filter: accepted because clients of other services send meta with this list.
   */
  meta?: string
}
export interface RecordTransactionInput {
  /**
   * The amount that was paid. A decimal in major units, as a number or as text.
   */
  total: number | string
  type: 'charge' | 'refund' | 'credit'
  method: 'cash' | 'check'
  /**
   * The customer who paid or was paid.
   */
  customer_id: string
  currency?: 'USD' | null
  /**
   * Where the money came from, in your words.
   */
  source?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * A note about it.
   */
  message?: string | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface UpdateTransactionInput {
  /**
   * The amount that was paid. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * The customer who paid or was paid.
   */
  customer_id?: string | null
  currency?: 'USD' | null
  /**
   * Where the money came from, in your words.
   */
  source?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * A note about it.
   */
  message?: string | null
  /**
   * Names of fields to empty. null leaves a field as it is.
   *
   * @maxItems 2
   */
  remove?: ('source' | 'message')[] | null
}
export interface GetTransactionFundingItem {
  account_id: string
  /**
   * Major units.
   */
  amount: number
  memo: string | null
}
export interface VoidTransactionInput {
  /**
   * If it is sent, it must be the whole amount. A decimal in major units, as a number or as text.
   */
  amount?: number | string | null
  /**
   * The same as amount. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface RefundTransactionInput {
  /**
   * The refunded amount; absent: all that is left. A decimal in major units, as a number or as text.
   */
  amount?: number | string | null
  /**
   * The same as amount. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409.
   */
  previously_refunded?: number | string | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface VoidOrRefundTransactionInput {
  /**
   * The refunded amount; absent: all that is left. A decimal in major units, as a number or as text.
   */
  amount?: number | string | null
  /**
   * The same as amount. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409.
   */
  previously_refunded?: number | string | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface CaptureTransactionInput {
  /**
   * The captured amount; absent: all that is left. A decimal in major units, as a number or as text.
   */
  amount?: number | string | null
  /**
   * The same as amount. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface PutEmailReceiptInput {
  /**
   * Recipients of copies of this receipt, in addition to the customer's own.
   *
   * @maxItems 10
   */
  ccEmails?: string[] | null
  /**
   * The same as the first spelling. All lists are used, together at most 10.
   *
   * @maxItems 10
   */
  cc_emails?: string[] | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface EmailReceiptInput {
  /**
   * Recipients of copies of this receipt, in addition to the customer's own.
   *
   * @maxItems 10
   */
  ccEmails?: string[] | null
  /**
   * The same as the first spelling. All lists are used, together at most 10.
   *
   * @maxItems 10
   */
  cc_emails?: string[] | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface PutSmsReceiptInput {
  /**
   * Recipients of copies of this receipt, in addition to the customer's own.
   *
   * @maxItems 10
   */
  ccSms?: string[] | null
  /**
   * The same as the first spelling. All lists are used, together at most 10.
   *
   * @maxItems 10
   */
  ccSMS?: string[] | null
  /**
   * The same as the first spelling. All lists are used, together at most 10.
   *
   * @maxItems 10
   */
  cc_sms?: string[] | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface TextReceiptInput {
  /**
   * Recipients of copies of this receipt, in addition to the customer's own.
   *
   * @maxItems 10
   */
  ccSms?: string[] | null
  /**
   * The same as the first spelling. All lists are used, together at most 10.
   *
   * @maxItems 10
   */
  ccSMS?: string[] | null
  /**
   * The same as the first spelling. All lists are used, together at most 10.
   *
   * @maxItems 10
   */
  cc_sms?: string[] | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface ListBatchesQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?:
    | 'business_date'
    | 'cutoff_at'
    | 'created_at'
    | 'closed_at'
    | 'count'
    | 'sales'
    | 'refunds'
    | 'net'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * With this business date or a later one; an instant counts as its date in UTC. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * With this business date or an earlier one. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
  /**
   * Only this status; `all` is no filter.
   */
  status?: 'open' | 'closing' | 'closed' | 'all'
}
export interface ListBatchTransactionsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at' | 'total' | 'last_four' | 'status'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
}
export interface ListDepositsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'batched_at' | 'deposit_at' | 'count' | 'sum'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * The cutoff of its batch is at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * The cutoff of its batch is at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
}
export interface ListDepositTransactionsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at' | 'total' | 'last_four' | 'status'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * The deposit, which is required in one of its three spellings.
   */
  batch_id?: string
  /**
   * The same as batch_id.
   */
  batchId?: string
  /**
   * The same as batch_id.
   */
  id?: string
  /**
   * The cutoff of its batch is at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * The cutoff of its batch is at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
}
export interface ListDisputesQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only those of this transaction.
   */
  transaction_id?: string
  /**
   * Only this status; `all` is no filter.
   */
  status?: 'warning' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'all'
  /**
   * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
}
export interface ListReversalsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only those of this transaction.
   */
  transaction_id?: string
  /**
   * Only this kind.
   */
  kind?: 'refund_failed' | 'debit_returned'
  /**
   * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
}
export interface CreateSandboxDisputeInput {
  /**
   * needs_response when absent.
   */
  status?: 'warning' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost' | null
  /**
   * The disputed amount. When absent, as before, and at first the whole transaction. A decimal in major units, as a number or as text.
   */
  amount?: number | string | null
}
export interface CreateSandboxReversalInput {
  /**
   * The bank's word for it, such as no_account.
   */
  reason?: string | null
}
export interface ListSchedulesQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'last_run_at' | 'next_run_at' | 'count' | 'created_at' | 'updated_at' | 'status'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only this status; `all` is no filter.
   */
  status?: 'active' | 'paused' | 'deleted' | 'all'
  /**
   * The billed customer.
   */
  customer_id?: string
  /**
   * The payment method that pays.
   */
  payment_method_id?: string
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
  /**
   * No filter: accepted because clients of other services send meta with this list.
   */
  meta?: string
}
export interface CreateScheduleInput {
  /**
   * The total of each invoice. A decimal in major units, as a number or as text.
   */
  total: number | string
  /**
   * The customer’s payment method that pays each invoice automatically; without one, the customer pays.
   */
  payment_method_id?: string | null
  /**
   * Invoices are sent by e-mail; true when absent.
   */
  email_notification?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Invoices are sent by SMS, while it is enabled for the team; false when absent.
   */
  sms_notification?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Runs that could not be made in time: `all` are made later, `one` run is made for all of them, or `skip` them. `all` when absent.
   */
  missed_runs?: 'all' | 'one' | 'skip' | null
  /**
   * An http or https address of yours.
   */
  url?: string | null
  /**
   * The origin, passed on to its invoices and payments.
   */
  channel?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. The times that it names are at least 15 minutes apart, and so are its RDATEs from each other. HOURLY and MINUTELY count elapsed time, and have no BYSETPOS; with BYHOUR they are the daily rule of the same times, and INTERVAL must divide 24 or 60. BYSECOND can only be 0, COUNT is at most 10,000, and there are at most 1,000 dates. In a month without the day, its last day is used.
   */
  rule: string
  /**
   * The billed customer.
   */
  customer_id: string
  /**
   * The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation. From 1900 to 2099: with a sandbox clock beyond them it must be sent.
   */
  start?: string | null
  /**
   * The zone of its wall clock. When absent at creation: the TZID of the DTSTART, else America/New_York.
   */
  timezone?: string | null
  currency?: 'USD' | null
  /**
   * A paused schedule makes no run until it is resumed; active when absent.
   */
  status?: 'active' | 'paused' | null
  /**
   * The same as status, active or paused.
   */
  active?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Only null: it follows from the rule: send COUNT in it.
   */
  max_runs?: null
  /**
   * Only null: it follows from the rule: send UNTIL or COUNT in it.
   */
  end_at?: null
  /**
   * Only null: it follows from the rule and the start: send the first run as start.
   */
  next_run_at?: null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
/**
 * Absent fields keep their value; `meta` is replaced as a whole. The change applies to future runs. A rule without a start keeps the current start.
 */
export interface UpdateScheduleInput {
  /**
   * The total of each invoice. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * The customer’s payment method that pays each invoice automatically; without one, the customer pays.
   */
  payment_method_id?: string | null
  /**
   * Invoices are sent by e-mail; true when absent.
   */
  email_notification?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Invoices are sent by SMS, while it is enabled for the team; false when absent.
   */
  sms_notification?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Runs that could not be made in time: `all` are made later, `one` run is made for all of them, or `skip` them. `all` when absent.
   */
  missed_runs?: 'all' | 'one' | 'skip' | null
  /**
   * An http or https address of yours.
   */
  url?: string | null
  /**
   * The origin, passed on to its invoices and payments.
   */
  channel?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. The times that it names are at least 15 minutes apart, and so are its RDATEs from each other. HOURLY and MINUTELY count elapsed time, and have no BYSETPOS; with BYHOUR they are the daily rule of the same times, and INTERVAL must divide 24 or 60. BYSECOND can only be 0, COUNT is at most 10,000, and there are at most 1,000 dates. In a month without the day, its last day is used.
   */
  rule?: string | null
  /**
   * The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation. From 1900 to 2099: with a sandbox clock beyond them it must be sent.
   */
  start?: string | null
  /**
   * The zone of its wall clock. When absent at creation: the TZID of the DTSTART, else America/New_York.
   */
  timezone?: string | null
  /**
   * Names of fields to empty. null leaves a field as it is.
   *
   * @maxItems 3
   */
  remove?: ('payment_method_id' | 'url' | 'channel')[] | null
  /**
   * Runs that fall due while the schedule is paused are not made.
   */
  status?: 'active' | 'paused' | null
  /**
   * The same as status, active or paused.
   */
  active?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Cannot be changed; the current value is accepted.
   */
  customer_id?: string | null
  currency?: 'USD' | null
  /**
   * Cannot be changed; the current value is accepted. It is COUNT of the rule.
   */
  max_runs?: number | null
  /**
   * Cannot be changed; the current value is accepted. UNTIL or COUNT of the rule say it.
   */
  end_at?: string | null
  /**
   * Cannot be changed; the current value is accepted. So is an instant that has passed, as in a copy that was read before a run. The rule and `start` say it.
   */
  next_run_at?: string | null
}
export interface ListInvoicesQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at' | 'due_at' | 'total' | 'status' | 'paid_at'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only this status. Deleted invoices are listed only with DELETED; `all` is no filter.
   */
  status?:
    | 'DRAFT'
    | 'SENT'
    | 'VIEWED'
    | 'PAID'
    | 'PARTIALLY APPLIED'
    | 'ATTEMPTED'
    | 'VOID'
    | 'DELETED'
    | 'all'
  /**
   * The customer who must pay.
   */
  customer_id?: string
  /**
   * The payment method that pays it.
   */
  payment_method_id?: string
  /**
   * The schedule that made it.
   */
  schedule_id?: string
  /**
   * Text to find; if repeated, each must be found. 255 characters together at most.
   *
   * @maxItems 10
   *
   * Items: Must be found in the customer's name, company, e-mail address, phone number or reference, or be the invoice's id, meta.reference or meta.poNumber.
   */
  keywords?: string[]
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
  /**
   * No filter: accepted because clients of other services send meta with this list.
   */
  meta?: string
}
export interface CreateInvoiceInput {
  /**
   * The amount to pay. A decimal in major units, as a number or as text.
   */
  total: number | string
  /**
   * The customer’s payment method that pays it, unless a payment names another one.
   */
  payment_method_id?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * The customer who must pay.
   */
  customer_id: string
  /**
   * When the payment is due: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset. A date alone, and midnight without an offset, means that day in every zone.
   */
  due_at?: string | null
  currency?: 'USD' | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
/**
 * Absent fields keep their value; `meta` is replaced as a whole.
 */
export interface UpdateInvoiceInput {
  /**
   * The amount to pay. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * The customer’s payment method that pays it, unless a payment names another one.
   */
  payment_method_id?: string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * When the payment is due: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset. A date alone, and midnight without an offset, means that day in every zone.
   */
  due_at?: string | null
  /**
   * Names of fields to empty. null leaves a field as it is.
   *
   * @maxItems 2
   */
  remove?: ('due_at' | 'payment_method_id')[] | null
  /**
   * Cannot be changed; the current value is accepted.
   */
  customer_id?: string | null
  currency?: 'USD' | null
}
export interface PayInvoiceInput {
  /**
   * A payment method of its customer; that of the invoice when absent.
   */
  payment_method_id?: string | null
  /**
   * The balance due as you know it. An invoice must be paid in full, so another amount is refused. A decimal in major units, as a number or as text.
   */
  apply_balance?: number | string | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface PayInvoiceInCashInput {
  /**
   * The amount that was paid. An invoice must be paid in full, so an amount other than the balance due is refused. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * A note about it, such as the number of the check.
   */
  message?: string | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface PayInvoiceByCheckInput {
  /**
   * The amount that was paid. An invoice must be paid in full, so an amount other than the balance due is refused. A decimal in major units, as a number or as text.
   */
  total?: number | string | null
  /**
   * A note about it, such as the number of the check.
   */
  message?: string | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface PutEmailInvoiceInput {
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface EmailInvoiceInput {
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface PutSmsInvoiceInput {
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface TextInvoiceInput {
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface ListItemsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at' | 'item'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only items that are offered, or only the others.
   */
  is_active?: true | false | 'true' | 'false' | '0' | '1'
  /**
   * An exact match, ignoring case.
   */
  code?: string
  /**
   * Text to find; if repeated, each must be found. 255 characters together at most.
   *
   * @maxItems 10
   *
   * Items: Must be found in the name or the code.
   */
  keywords?: string[]
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
  /**
   * No filter: accepted because clients of other services send meta with this list.
   */
  meta?: string
}
export interface CreateItemInput {
  /**
   * Its name.
   */
  item: string
  /**
   * The merchant’s own code for it, such as a SKU.
   */
  code?: string | null
  /**
   * The text about it on a bill.
   */
  details?: string | null
  /**
   * The price of one. A decimal in major units, as a number or as text; 0 means no amount.
   */
  price?: number | string | null
  /**
   * Whether it is offered; true when absent.
   */
  is_active?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Whether tax is added to it; false when absent.
   */
  is_taxable?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Whether it is a service; false when absent.
   */
  is_service?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * How many there are, as the merchant counts them.
   */
  in_stock?: number | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  currency?: 'USD' | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
/**
 * Absent fields keep their value; meta is replaced as a whole.
 */
export interface UpdateItemInput {
  /**
   * Its name.
   */
  item?: string | null
  /**
   * The merchant’s own code for it, such as a SKU.
   */
  code?: string | null
  /**
   * The text about it on a bill.
   */
  details?: string | null
  /**
   * The price of one. A decimal in major units, as a number or as text; 0 means no amount.
   */
  price?: number | string | null
  /**
   * Whether it is offered; true when absent.
   */
  is_active?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Whether tax is added to it; false when absent.
   */
  is_taxable?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Whether it is a service; false when absent.
   */
  is_service?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * How many there are, as the merchant counts them.
   */
  in_stock?: number | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  /**
   * Names of fields to empty. null leaves a field as it is.
   *
   * @maxItems 3
   */
  remove?: ('code' | 'details' | 'in_stock')[] | null
  currency?: 'USD' | null
}
export interface ListEventsQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * The name of the event.
   */
  type?:
    | 'create_transaction'
    | 'update_transaction'
    | 'update_transaction_settled'
    | 'create_invoice'
    | 'update_invoice'
    | 'create_scheduled_invoice'
    | 'update_scheduled_invoice'
    | 'delete_scheduled_invoice'
    | 'create_customer'
    | 'update_customer'
    | 'delete_customer'
    | 'create_payment_method'
    | 'update_payment_method'
    | 'delete_payment_method'
    | 'create_payment_link'
    | 'update_payment_link'
    | 'delete_payment_link'
    | 'create_batch'
    | 'create_deposit'
    | 'deposit_failed'
    | 'create_dispute'
    | 'update_dispute'
    | 'create_reversal'
    | 'webhook_disabled'
    | 'webhook_test'
  /**
   * The changed resource.
   */
  resource_id?: string
  /**
   * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
}
export interface ListWebhooksQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at' | 'updated_at'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only this status; `all` is no filter.
   */
  status?: 'active' | 'disabled' | 'all'
  /**
   * Only webhooks that get this event, by its name or by `*`.
   */
  event?:
    | '*'
    | 'create_transaction'
    | 'update_transaction'
    | 'update_transaction_settled'
    | 'create_invoice'
    | 'update_invoice'
    | 'create_scheduled_invoice'
    | 'update_scheduled_invoice'
    | 'delete_scheduled_invoice'
    | 'create_customer'
    | 'update_customer'
    | 'delete_customer'
    | 'create_payment_method'
    | 'update_payment_method'
    | 'delete_payment_method'
    | 'create_payment_link'
    | 'update_payment_link'
    | 'delete_payment_link'
    | 'create_batch'
    | 'create_deposit'
    | 'deposit_failed'
    | 'create_dispute'
    | 'update_dispute'
    | 'create_reversal'
    | 'webhook_disabled'
}
export interface CreateWebhookInput {
  /**
   * Where events are posted to: an https address of the public internet, without a user, a password or a fragment.
   */
  target_url: string
  /**
   * The events that it gets: `*` for all, one name, or a list of names.
   *
   * @minItems 1
   * @maxItems 100
   */
  event:
    | string
    | (
        | '*'
        | 'create_transaction'
        | 'update_transaction'
        | 'update_transaction_settled'
        | 'create_invoice'
        | 'update_invoice'
        | 'create_scheduled_invoice'
        | 'update_scheduled_invoice'
        | 'delete_scheduled_invoice'
        | 'create_customer'
        | 'update_customer'
        | 'delete_customer'
        | 'create_payment_method'
        | 'update_payment_method'
        | 'delete_payment_method'
        | 'create_payment_link'
        | 'update_payment_link'
        | 'delete_payment_link'
        | 'create_batch'
        | 'create_deposit'
        | 'deposit_failed'
        | 'create_dispute'
        | 'update_dispute'
        | 'create_reversal'
        | 'webhook_disabled'
      )[]
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
/**
 * Absent fields keep their value.
 */
export interface UpdateWebhookInput {
  /**
   * Where events are posted to: an https address of the public internet, without a user, a password or a fragment.
   */
  target_url?: string | null
  /**
   * The events that it gets: `*` for all, one name, or a list of names.
   *
   * @minItems 1
   * @maxItems 100
   */
  event?:
    | string
    | (
        | '*'
        | 'create_transaction'
        | 'update_transaction'
        | 'update_transaction_settled'
        | 'create_invoice'
        | 'update_invoice'
        | 'create_scheduled_invoice'
        | 'update_scheduled_invoice'
        | 'delete_scheduled_invoice'
        | 'create_customer'
        | 'update_customer'
        | 'delete_customer'
        | 'create_payment_method'
        | 'update_payment_method'
        | 'delete_payment_method'
        | 'create_payment_link'
        | 'update_payment_link'
        | 'delete_payment_link'
        | 'create_batch'
        | 'create_deposit'
        | 'deposit_failed'
        | 'create_dispute'
        | 'update_dispute'
        | 'create_reversal'
        | 'webhook_disabled'
      )[]
    | null
  /**
   * A disabled webhook gets no events; disabling it ends a replay.
   */
  status?: 'active' | 'disabled' | null
}
export interface RollWebhookSecretInput {
  /**
   * How many seconds the old secret still signs beside the new one; 86400, a day, when absent.
   */
  expires_in?: number | null
}
export interface ListWebhookDeliveriesQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'created_at'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Only this status; `all` is no filter.
   */
  status?: 'pending' | 'sent' | 'delivered' | 'parked' | 'all'
  /**
   * Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  start_date?: string
  /**
   * The same as start_date.
   */
  startDate?: string
  /**
   * Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset.
   */
  end_date?: string
  /**
   * The same as end_date.
   */
  endDate?: string
}
export interface TestWebhookInput {
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
export interface ReplayWebhookInput {
  /**
   * Events written at this real time or later, at most 30 days ago. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset.
   */
  since: string
}
export interface CreatePaymentLinkInput {
  /**
   * The merchant’s name for the link.
   */
  common_name: string
  /**
   * The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 means no amount.
   */
  amount?: number | string | null
  /**
   * Whether payers can pay through it; true when absent at creation.
   */
  active?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text.
   */
  link_meta?: {
    /**
     * Shown to the payer.
     */
    memo?: string | null
    /**
     * The page for the payer after a payment: an http or https address.
     */
    successRedirect?: string | null
    /**
     * The payer may change the amount.
     */
    isTotalEditable?: true | false | 0 | 1 | '0' | '1' | null
    [k: string]: unknown
  } | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  currency?: 'USD' | null
  /**
   * The same as the header Idempotency-Key.
   */
  idempotency_id?: string | null
}
/**
 * Absent fields keep their value; `meta` and `link_meta` are replaced as a whole.
 */
export interface UpdatePaymentLinkInput {
  /**
   * The merchant’s name for the link.
   */
  common_name?: string | null
  /**
   * The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 means no amount.
   */
  amount?: number | string | null
  /**
   * Whether payers can pay through it; true when absent at creation.
   */
  active?: true | false | 0 | 1 | '0' | '1' | null
  /**
   * Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text.
   */
  link_meta?: {
    /**
     * Shown to the payer.
     */
    memo?: string | null
    /**
     * The page for the payer after a payment: an http or https address.
     */
    successRedirect?: string | null
    /**
     * The payer may change the amount.
     */
    isTotalEditable?: true | false | 0 | 1 | '0' | '1' | null
    [k: string]: unknown
  } | null
  /**
   * Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text.
   */
  meta?: {
    [k: string]: unknown
  } | null
  currency?: 'USD' | null
}
export interface DeletePaymentLinkAnswer {
  status: 200
  message: string
}
export interface ListPaymentLinksQuery {
  /**
   * 1 when absent.
   */
  page?: number
  /**
   * 50 when absent.
   */
  limit?: number
  /**
   * The same as limit.
   */
  per_page?: number
  /**
   * created_at when absent.
   */
  sort?: 'common_name' | 'amount' | 'created_at' | 'total_sales' | 'total_transactions'
  /**
   * ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent.
   */
  order?: string
  /**
   * Exactly this amount; 0 finds links without one.
   */
  amount?: number | string
  /**
   * An exact match, ignoring case.
   */
  common_name?: string
  /**
   * Only active links, or only inactive ones.
   */
  active?: true | false | 'true' | 'false' | '0' | '1'
  /**
   * Text to find; if repeated, each must be found. 255 characters together at most.
   *
   * @maxItems 10
   *
   * Items: Text in the name, or in the memo of link_meta.
   */
  keywords?: string[]
  /**
   * No filter: accepted because clients of other services send user_id with this list.
   */
  user_id?: string
  /**
   * No filter: accepted because clients of other services send meta with this list.
   */
  meta?: string
}
export interface SetSandboxClockInput {
  /**
   * ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset. From 1970 to 8999, and at most ten years ahead of the account's current time, except for the first setting in an account without transactions and schedules.
   */
  now: string
}

export interface Operations {
  /** The process is alive. */
  getHealth(options?: CallOptions): Promise<GetHealthAnswer>
  /** The process can serve requests. */
  getReadiness(options?: CallOptions): Promise<GetReadinessAnswer>
  /** Metrics for Prometheus. */
  getMetrics(options?: CallOptions): Promise<string>
  /** The team and account of the key. */
  getSelf(options?: CallOptions): Promise<GetSelfAnswer>
  /** Create a customer. */
  createCustomer(body?: CreateCustomerInput, options?: KeyedCallOptions): Promise<Customer>
  /** List customers. */
  listCustomers(query?: ListCustomersQuery, options?: CallOptions): Promise<Page<Customer>>
  /** Get a customer. */
  getCustomer(id: string, options?: CallOptions): Promise<Customer>
  /** Change a customer. */
  updateCustomer(id: string, body?: UpdateCustomerInput, options?: CallOptions): Promise<Customer>
  /** Delete a customer. */
  deleteCustomer(id: string, options?: CallOptions): Promise<Customer>
  /** List the payment methods of a customer. */
  listCustomerPaymentMethods(id: string, options?: CallOptions): Promise<PaymentMethod[]>
  /** Create a payment method. */
  createPaymentMethod(body: CreatePaymentMethodInput, options?: KeyedCallOptions): Promise<PaymentMethod>
  /** List payment methods. */
  listPaymentMethods(query?: ListPaymentMethodsQuery, options?: CallOptions): Promise<Page<PaymentMethod>>
  /** Get a payment method. */
  getPaymentMethod(id: string, options?: CallOptions): Promise<PaymentMethod>
  /** Change a payment method. */
  updatePaymentMethod(id: string, body?: UpdatePaymentMethodInput, options?: CallOptions): Promise<PaymentMethod>
  /** Delete a payment method. */
  deletePaymentMethod(id: string, options?: CallOptions): Promise<PaymentMethod>
  /** Charge a payment method. */
  createCharge(body: CreateChargeInput, options?: PaymentCallOptions): Promise<Transaction>
  /** List transactions. */
  listTransactions(query?: ListTransactionsQuery, options?: CallOptions): Promise<Page<Transaction>>
  /** Record a transaction by hand. */
  recordTransaction(body: RecordTransactionInput, options?: KeyedCallOptions): Promise<Transaction>
  /** Get a transaction. */
  getTransaction(id: string, options?: CallOptions): Promise<Transaction>
  /** Change a transaction that was recorded by hand. */
  updateTransaction(id: string, body?: UpdateTransactionInput, options?: CallOptions): Promise<Transaction>
  /** List the children of a transaction. */
  listRelatedTransactions(id: string, options?: CallOptions): Promise<Transaction[]>
  /** Get the funding instructions of a transaction. */
  getTransactionFunding(id: string, options?: CallOptions): Promise<GetTransactionFundingItem[]>
  /** Void a transaction. */
  voidTransaction(id: string, body?: VoidTransactionInput, options?: PaymentCallOptions): Promise<Transaction>
  /** Refund a transaction. */
  refundTransaction(id: string, body?: RefundTransactionInput, options?: PaymentCallOptions): Promise<Transaction>
  /** Void or refund a transaction. */
  voidOrRefundTransaction(id: string, body?: VoidOrRefundTransactionInput, options?: PaymentCallOptions): Promise<Transaction>
  /** Capture a pre_auth. */
  captureTransaction(id: string, body?: CaptureTransactionInput, options?: PaymentCallOptions): Promise<Transaction>
  /** E-mail a receipt, as by POST. */
  putEmailReceipt(id: string, body?: PutEmailReceiptInput, options?: KeyedCallOptions): Promise<Transaction>
  /** E-mail a receipt. */
  emailReceipt(id: string, body?: EmailReceiptInput, options?: KeyedCallOptions): Promise<Transaction>
  /** Text a receipt, as by POST. */
  putSmsReceipt(id: string, body?: PutSmsReceiptInput, options?: KeyedCallOptions): Promise<Transaction>
  /** Text a receipt. */
  textReceipt(id: string, body?: TextReceiptInput, options?: KeyedCallOptions): Promise<Transaction>
  /** List the receipts of a transaction. */
  listReceipts(id: string, options?: CallOptions): Promise<Delivery[]>
  /** List batches. */
  listBatches(query?: ListBatchesQuery, options?: CallOptions): Promise<Page<Batch>>
  /** Get a batch. */
  getBatch(id: string, options?: CallOptions): Promise<Batch>
  /** List the transactions of a batch. */
  listBatchTransactions(id: string, query?: ListBatchTransactionsQuery, options?: CallOptions): Promise<Page<Transaction>>
  /** List deposits. */
  listDeposits(query?: ListDepositsQuery, options?: CallOptions): Promise<Page<Deposit>>
  /** List the transactions of a deposit. */
  listDepositTransactions(query?: ListDepositTransactionsQuery, options?: CallOptions): Promise<Page<DepositTransaction>>
  /** List disputes. */
  listDisputes(query?: ListDisputesQuery, options?: CallOptions): Promise<Page<Dispute>>
  /** List reversals. */
  listReversals(query?: ListReversalsQuery, options?: CallOptions): Promise<Page<Reversal>>
  /** Get a dispute. */
  getDispute(id: string, options?: CallOptions): Promise<Dispute>
  /** Get a reversal. */
  getReversal(id: string, options?: CallOptions): Promise<Reversal>
  /** Open or change a dispute in the sandbox. */
  createSandboxDispute(id: string, body?: CreateSandboxDisputeInput, options?: CallOptions): Promise<Dispute>
  /** Reverse a refund or a bank debit in the sandbox. */
  createSandboxReversal(id: string, body?: CreateSandboxReversalInput, options?: CallOptions): Promise<Reversal>
  /** List scheduled invoices. */
  listSchedules(query?: ListSchedulesQuery, options?: CallOptions): Promise<Page<ScheduledInvoice>>
  /** Create a scheduled invoice. */
  createSchedule(body: CreateScheduleInput, options?: KeyedCallOptions): Promise<ScheduledInvoice>
  /** Get a scheduled invoice. */
  getSchedule(id: string, options?: CallOptions): Promise<ScheduledInvoice>
  /** Change, pause or resume a scheduled invoice. */
  updateSchedule(id: string, body?: UpdateScheduleInput, options?: CallOptions): Promise<ScheduledInvoice>
  /** Delete a scheduled invoice. */
  deleteSchedule(id: string, options?: CallOptions): Promise<ScheduledInvoice>
  /** List invoices. */
  listInvoices(query?: ListInvoicesQuery, options?: CallOptions): Promise<Page<Invoice>>
  /** Create an invoice. */
  createInvoice(body: CreateInvoiceInput, options?: KeyedCallOptions): Promise<Invoice>
  /** Get an invoice. */
  getInvoice(id: string, options?: CallOptions): Promise<Invoice>
  /** Change an invoice. */
  updateInvoice(id: string, body?: UpdateInvoiceInput, options?: CallOptions): Promise<Invoice>
  /** Delete an invoice. */
  deleteInvoice(id: string, options?: CallOptions): Promise<Invoice>
  /** Pay an invoice. */
  payInvoice(id: string, body?: PayInvoiceInput, options?: PaymentCallOptions): Promise<Transaction>
  /** Record that an invoice was paid in cash. */
  payInvoiceInCash(id: string, body?: PayInvoiceInCashInput, options?: KeyedCallOptions): Promise<Transaction>
  /** Record that an invoice was paid by check. */
  payInvoiceByCheck(id: string, body?: PayInvoiceByCheckInput, options?: KeyedCallOptions): Promise<Transaction>
  /** E-mail an invoice, as by POST. */
  putEmailInvoice(id: string, body?: PutEmailInvoiceInput, options?: KeyedCallOptions): Promise<Invoice>
  /** E-mail an invoice. */
  emailInvoice(id: string, body?: EmailInvoiceInput, options?: KeyedCallOptions): Promise<Invoice>
  /** Text an invoice, as by POST. */
  putSmsInvoice(id: string, body?: PutSmsInvoiceInput, options?: KeyedCallOptions): Promise<Invoice>
  /** Text an invoice. */
  textInvoice(id: string, body?: TextInvoiceInput, options?: KeyedCallOptions): Promise<Invoice>
  /** List items. */
  listItems(query?: ListItemsQuery, options?: CallOptions): Promise<Page<Item>>
  /** Create an item. */
  createItem(body: CreateItemInput, options?: KeyedCallOptions): Promise<Item>
  /** Get an item. */
  getItem(id: string, options?: CallOptions): Promise<Item>
  /** Change an item. */
  updateItem(id: string, body?: UpdateItemInput, options?: CallOptions): Promise<Item>
  /** Delete an item. */
  deleteItem(id: string, options?: CallOptions): Promise<Item>
  /** List events. */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Promise<Page<Event>>
  /** List webhooks. */
  listWebhooks(query?: ListWebhooksQuery, options?: CallOptions): Promise<Page<Webhook>>
  /** Create a webhook. */
  createWebhook(body: CreateWebhookInput, options?: KeyedCallOptions): Promise<WebhookWithSecret>
  /** Get a webhook. */
  getWebhook(id: string, options?: CallOptions): Promise<Webhook>
  /** Change, disable or enable a webhook. */
  updateWebhook(id: string, body?: UpdateWebhookInput, options?: CallOptions): Promise<Webhook>
  /** Delete a webhook. */
  deleteWebhook(id: string, options?: CallOptions): Promise<Webhook>
  /** Roll a webhook's secret. */
  rollWebhookSecret(id: string, body?: RollWebhookSecretInput, options?: CallOptions): Promise<WebhookWithSecret>
  /** List the deliveries of a webhook. */
  listWebhookDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): Promise<Page<WebhookDelivery>>
  /** Test a webhook. */
  testWebhook(id: string, body?: TestWebhookInput, options?: KeyedCallOptions): Promise<WebhookDelivery>
  /** Replay events to a webhook. */
  replayWebhook(id: string, body: ReplayWebhookInput, options?: CallOptions): Promise<Webhook>
  /** Create a payment link. */
  createPaymentLink(body: CreatePaymentLinkInput, options?: KeyedCallOptions): Promise<PaymentLink>
  /** Get a payment link. */
  getPaymentLink(id: string, options?: CallOptions): Promise<PaymentLink>
  /** Change a payment link. */
  updatePaymentLink(id: string, body?: UpdatePaymentLinkInput, options?: CallOptions): Promise<PaymentLink>
  /** Delete a payment link. */
  deletePaymentLink(id: string, options?: CallOptions): Promise<DeletePaymentLinkAnswer>
  /** List payment links. */
  listPaymentLinks(query?: ListPaymentLinksQuery, options?: CallOptions): Promise<Page<PaymentLink>>
  /** Query payment links, or create one. */
  queryPaymentLinks(body?: QueryPaymentLinksInput, options?: KeyedCallOptions): Promise<QueryPaymentLinksAnswer>
  /** A QR code of a payment link's page. */
  getPaymentLinkQrCode(id: string, options?: CallOptions): Promise<string>
  /** Get the current time of the account. */
  getSandboxClock(options?: CallOptions): Promise<SandboxClock>
  /** Set or advance the clock of a sandbox account. */
  setSandboxClock(body: SetSandboxClockInput, options?: CallOptions): Promise<SandboxClock>
  /** Return a sandbox account to real time. */
  deleteSandboxClock(options?: CallOptions): Promise<SandboxClock>
}

/** The lists that are answered as CSV too. */
export type CsvName = 'listTransactions' | 'listBatches' | 'listBatchTransactions' | 'listDeposits' | 'listDepositTransactions'
