# Made by `npm run openapi`; do not edit.

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

#: An amount in major units. A text or a Decimal is exact.
Amount = Union[int, float, str, Decimal]

PageFields = TypedDict(
    "PageFields",
    {
        "total": int,
        "per_page": int,
        "current_page": int,
        "last_page": int,
        "from": Optional[int],
        "to": Optional[int],
        "next_page_url": Optional[str],
        "prev_page_url": Optional[str],
    },
)


class ErrorBodyRequired(TypedDict):
    error: Literal["invalid_request", "unknown_field", "partial_payment_not_supported", "invalid_json", "invalid_id", "rule_too_complex", "clock_advance_too_large", "no_recipient", "card_data_not_accepted", "unauthorized", "team_inactive", "team_disabled", "sms_not_enabled", "split_funding_not_enabled", "sandbox_only", "invalid_signature", "not_found", "method_not_allowed", "request_timeout", "body_too_large", "unsupported_media_type", "expectation_failed", "headers_too_large", "too_many_exports", "rate_limited", "transaction_immutable", "wrong_state", "already_voided", "already_batched", "not_batched_yet", "not_refundable_yet", "partial_void_not_supported", "settlement_tokenization_required", "refund_exceeds_remaining", "refund_mismatch", "capture_exceeds_remaining", "payment_link_inactive", "payment_link_deleted", "in_use", "invoice_already_paid", "sent_too_often", "payment_under_way", "too_many_webhooks", "replay_under_way", "clock_advancing", "clock_backwards", "clock_ahead", "idempotency_conflict", "internal_error", "unavailable", "overloaded", "no_live_gateway"]
    message: str
    request_id: str


class ErrorBody(ErrorBodyRequired, total=False):
    errors: Dict[str, List[str]]
    """Faults by field; nested fields are dotted."""


class Customer(TypedDict):
    id: str
    firstname: Optional[str]
    lastname: Optional[str]
    company: Optional[str]
    email: Optional[str]
    phone: Optional[str]
    cc_emails: List[str]
    cc_sms: List[str]
    address_1: Optional[str]
    address_2: Optional[str]
    address_city: Optional[str]
    address_state: Optional[str]
    address_zip: Optional[str]
    address_country: Optional[str]
    notes: Optional[str]
    reference: Optional[str]
    meta: Dict[str, Any]
    created_at: str
    updated_at: str


class PaymentMethod(TypedDict):
    id: str
    customer_id: Optional[str]
    """null for cash and check, which are built in."""
    method: Literal["card", "bank", "cash", "check"]
    nickname: Optional[str]
    person_name: str
    card_type: Optional[str]
    card_last_four: Optional[str]
    card_exp: Optional[str]
    """MMYY."""
    bank_name: Optional[str]
    bank_type: Optional[str]
    bank_holder_type: Optional[str]
    bank_last_four: Optional[str]
    address_1: Optional[str]
    address_2: Optional[str]
    address_city: Optional[str]
    address_state: Optional[str]
    address_zip: Optional[str]
    address_country: Optional[str]
    is_default: bool
    meta: Dict[str, Any]
    created_at: str
    updated_at: str


class Item(TypedDict):
    id: str
    item: str
    code: Optional[str]
    details: Optional[str]
    price: Optional[float]
    """Major units; null if it has no fixed price."""
    is_active: bool
    is_taxable: bool
    is_service: bool
    in_stock: Optional[int]
    """null: the merchant does not count them. No payment changes it."""
    meta: Dict[str, Any]
    created_at: str
    updated_at: str
    deleted_at: Optional[str]


class PaymentLink(TypedDict):
    id: str
    common_name: str
    amount: Optional[float]
    """Major units; null if the payer enters the amount."""
    active: bool
    link_meta: Dict[str, Any]
    meta: Dict[str, Any]
    url: str
    """The page that a payer opens."""
    qr_code_url: str
    """An SVG image with a QR code of the page."""
    total_sales: float
    """The sum of the successful payments in major units. Later voids and refunds are not subtracted, and a change writes no event."""
    total_transactions: int
    """The number of successful payments, voided and refunded ones included."""
    created_at: str
    updated_at: str


class Transaction(TypedDict):
    id: str
    type: Literal["charge", "pre_auth", "capture", "void", "refund", "credit"]
    method: Literal["card", "bank", "cash", "check"]
    status: Literal["PENDING", "SUCCESS", "FAILED"]
    success: Optional[bool]
    message: Optional[str]
    decline_code: Optional[str]
    """Why the gateway declined it. card_declined: the bank declined it and seldom says why, except to the payer; insufficient_funds: there is not enough money, or a limit of the card is reached; expired_card: the card has expired; incorrect_card_data: the number, expiry, security code or address is not that of the card; lost_or_stolen_card: the card is reported lost or stolen, or is restricted; suspected_fraud: the bank or the gateway suspects fraud; authentication_required: the payer has to confirm it to the bank, on the page of a bill or a payment link; bank_account_unusable: the bank account is closed, unknown, restricted or not verified; debit_not_authorized: the account holder does not allow the debit; hold_ended: the hold has ended; canceled: it was canceled at the gateway; nothing_left: nothing is left to capture or to return; processing_error: the gateway or the bank could not process it at that time; request_refused: the gateway refused the request itself, and its message says why. There may be more later."""
    retry: Optional[str]
    """Whether another try of a declined payment is worth it. now: the same payment may be tried again at once; later: it may be tried again after hours or days; never: not with this payment method as it is."""
    total: float
    """Major units."""
    total_refunded: float
    """What was refunded of it, in major units. It stays 0 for a pre_auth, whose captures are refunded."""
    currency: str
    pre_auth: bool
    is_captured: bool
    """Whether something of it was captured, also if that capture was voided since. With the `stax` dialect it is 0 or 1."""
    hold_ended_at: Optional[str]
    """For a pre_auth: when the gateway released the rest that was not captured. Some gateways grant one capture of a hold, and holds end by themselves after days."""
    is_voided: bool
    is_voidable: bool
    is_refundable: bool
    """Disputes and returned debits do not change it; what the bank has taken back is refused all the same."""
    is_manual: bool
    source: Optional[str]
    channel: Optional[str]
    customer_id: str
    payment_method_id: str
    invoice_id: Optional[str]
    schedule_id: Optional[str]
    payment_link_id: Optional[str]
    reference_id: Optional[str]
    auth_id: Optional[str]
    batch_id: Optional[str]
    batched_at: Optional[str]
    settled_at: Optional[str]
    idempotency_id: Optional[str]
    gateway_name: Optional[str]
    last_four: Optional[str]
    meta: Dict[str, Any]
    receipt_email_at: Optional[str]
    receipt_sms_at: Optional[str]
    created_at: str
    updated_at: str
    """The last change. Settlement does not change it; see settled_at."""
    customer: "Customer"
    payment_method: "PaymentMethod"
    child_transactions: List["ChildTransaction"]
    """Its voids and refunds, the oldest first."""
    child_captures: List["ChildTransaction"]
    """The captures of a pre_auth, the oldest first."""


class ChildTransaction(TypedDict):
    """Customer and payment method are those of its parent."""

    id: str
    type: Literal["charge", "pre_auth", "capture", "void", "refund", "credit"]
    method: Literal["card", "bank", "cash", "check"]
    status: Literal["PENDING", "SUCCESS", "FAILED"]
    success: Optional[bool]
    message: Optional[str]
    decline_code: Optional[str]
    """Why the gateway declined it. card_declined: the bank declined it and seldom says why, except to the payer; insufficient_funds: there is not enough money, or a limit of the card is reached; expired_card: the card has expired; incorrect_card_data: the number, expiry, security code or address is not that of the card; lost_or_stolen_card: the card is reported lost or stolen, or is restricted; suspected_fraud: the bank or the gateway suspects fraud; authentication_required: the payer has to confirm it to the bank, on the page of a bill or a payment link; bank_account_unusable: the bank account is closed, unknown, restricted or not verified; debit_not_authorized: the account holder does not allow the debit; hold_ended: the hold has ended; canceled: it was canceled at the gateway; nothing_left: nothing is left to capture or to return; processing_error: the gateway or the bank could not process it at that time; request_refused: the gateway refused the request itself, and its message says why. There may be more later."""
    retry: Optional[str]
    """Whether another try of a declined payment is worth it. now: the same payment may be tried again at once; later: it may be tried again after hours or days; never: not with this payment method as it is."""
    total: float
    """Major units."""
    total_refunded: float
    """What was refunded of it, in major units. It stays 0 for a pre_auth, whose captures are refunded."""
    currency: str
    pre_auth: bool
    is_captured: bool
    """Whether something of it was captured, also if that capture was voided since. With the `stax` dialect it is 0 or 1."""
    hold_ended_at: Optional[str]
    """For a pre_auth: when the gateway released the rest that was not captured. Some gateways grant one capture of a hold, and holds end by themselves after days."""
    is_voided: bool
    is_voidable: bool
    is_refundable: bool
    """Disputes and returned debits do not change it; what the bank has taken back is refused all the same."""
    is_manual: bool
    source: Optional[str]
    channel: Optional[str]
    customer_id: str
    payment_method_id: str
    invoice_id: Optional[str]
    schedule_id: Optional[str]
    payment_link_id: Optional[str]
    reference_id: Optional[str]
    auth_id: Optional[str]
    batch_id: Optional[str]
    batched_at: Optional[str]
    settled_at: Optional[str]
    idempotency_id: Optional[str]
    gateway_name: Optional[str]
    last_four: Optional[str]
    meta: Dict[str, Any]
    receipt_email_at: Optional[str]
    receipt_sms_at: Optional[str]
    created_at: str
    updated_at: str
    """The last change. Settlement does not change it; see settled_at."""
    child_transactions: List["ChildTransaction"]
    """Its voids and refunds, the oldest first."""
    child_captures: List["ChildTransaction"]
    """The captures of a pre_auth, the oldest first."""


class Batch(TypedDict):
    """The sums of an unclosed batch are those that it would close with now."""

    id: str
    business_date: str
    """The date of its cutoff, on the account's wall clock."""
    cutoff_at: str
    """Payments that succeed at this instant or later are not in it."""
    status: Literal["open", "closing", "closed"]
    """open: it takes payments that succeed; closing: its cutoff has passed; closed: for good."""
    count: int
    """The number of its sales and refunds."""
    sales: float
    """The sum of its charges and captures, in major units."""
    refunds: float
    """The sum of its refunds, in major units."""
    net: float
    """sales − refunds."""
    created_at: str
    closed_at: Optional[str]
    deposit_at: Optional[str]
    """When its money arrives, once that is known: by the calendar from its closing on; where the gateway pays out, from its last payout on. Null again if a payout fails."""
    fees: Optional[float]
    """What the gateway has kept of its sales and refunds, in major units. Null while that is unknown: until paid payouts hold all of them, and where the gateway does not report its payouts. Fees that it charges by themselves, and those of disputes, are not in it."""
    net_after_fees: Optional[float]
    """sales − refunds − fees. Null while the fees are unknown."""


class Deposit(TypedDict):
    id: str
    batch_id: str
    """The batch, which is the deposit: the same id."""
    business_date: str
    batched_at: str
    """When its batch was closed."""
    deposit_at: str
    """When the money arrives."""
    count: int
    """The number of its sales and refunds."""
    sum: float
    """sales − refunds, in major units, before fees."""
    sales: float
    """Major units."""
    refunds: float
    """Major units."""
    avg: float
    """sum / count, rounded to the cent."""
    fees: Optional[float]
    """What the gateway has kept of its sales and refunds, in major units. Null while that is unknown: until paid payouts hold all of them, and where the gateway does not report its payouts. Fees that it charges by themselves, and those of disputes, are not in it."""
    net_after_fees: Optional[float]
    """sales − refunds − fees. Null while the fees are unknown."""


class DepositTransaction(TypedDict):
    transaction_id: str
    batch_id: str
    batched_at: str
    created_at: str
    type: Literal["charge", "capture", "refund"]
    method: Literal["card", "bank"]
    total: float
    """Major units."""
    net: float
    """Its amount in the deposit: negative for a refund."""
    last_four: Optional[str]
    card_type: Optional[str]
    auth_id: Optional[str]
    customer_id: str
    invoice_id: Optional[str]


class Dispute(TypedDict):
    """A payer contests a payment at their bank."""

    id: str
    transaction_id: str
    """The contested payment, which stays as it is."""
    status: Literal["warning", "warning_closed", "needs_response", "under_review", "won", "lost"]
    """warning: the bank asks, and has taken no money; warning_closed: that ended without a dispute; needs_response: the bank has taken the money, and you can contest that; under_review: the bank decides; won: the money is yours again; lost: it is not."""
    reason: str
    """The gateway's own word for it."""
    amount: float
    """Major units. It may be a part of the payment."""
    currency: str
    gateway_name: str
    gateway_id: str
    """The id that the gateway gave it."""
    respond_by: Optional[str]
    """Until when you can answer, in the gateway's dashboard; null if you cannot."""
    opened_at: str
    closed_at: Optional[str]
    created_at: str
    updated_at: str


class Reversal(TypedDict):
    """Money of a successful transaction that moved back."""

    id: str
    transaction_id: str
    """The refund or the charge, whose status stays SUCCESS."""
    kind: Literal["refund_failed", "debit_returned"]
    """refund_failed: the refund did not reach the payer, and its money is in your balance again; those who were sent its receipt are sent a correction. debit_returned: the payer's bank took the debit back. An invoice that it paid stays PAID, and its page says so; bill the customer anew."""
    reason: str
    """The gateway's own word for it."""
    amount: float
    """Major units."""
    currency: str
    gateway_name: str
    gateway_id: str
    """The id that the gateway gave it."""
    created_at: str


class Invoice(TypedDict):
    id: str
    status: Literal["DRAFT", "SENT", "VIEWED", "PAID", "PARTIALLY APPLIED", "ATTEMPTED", "VOID", "DELETED"]
    total: float
    """Major units."""
    total_paid: float
    """What its payment brought, in major units. Refunds of the payment are not subtracted."""
    balance_due: float
    """What is left to pay, in major units: 0 for an invoice that is DELETED or VOID."""
    payment_under_way: bool
    """Whether a payment of it is under way. Until that is decided no other can begin, and `balance_due` is still the whole balance."""
    currency: str
    customer_id: str
    payment_method_id: Optional[str]
    schedule_id: Optional[str]
    url: str
    """The page on which it can be paid."""
    meta: Dict[str, Any]
    due_at: Optional[str]
    sent_at: Optional[str]
    viewed_at: Optional[str]
    paid_at: Optional[str]
    next_retry_at: Optional[str]
    """When a failed automatic payment is retried."""
    created_at: str
    updated_at: str


class ScheduledInvoice(TypedDict):
    id: str
    status: Literal["active", "paused", "deleted"]
    total: float
    """Major units."""
    currency: str
    rule: str
    """Without its start."""
    start: str
    """Local time of `timezone`; or UTC with `Z`, if that local time comes twice and the second one is meant."""
    timezone: str
    rule_text: str
    """The rule in words."""
    customer_id: str
    payment_method_id: Optional[str]
    email_notification: bool
    sms_notification: bool
    missed_runs: Literal["all", "one", "skip"]
    url: Optional[str]
    channel: Optional[str]
    meta: Dict[str, Any]
    count: int
    """Runs so far."""
    max_runs: Optional[int]
    """COUNT of the rule. It counts all occurrences, also skipped ones."""
    end_at: Optional[str]
    last_run_at: Optional[str]
    last_invoice_status: Literal["DRAFT", "SENT", "VIEWED", "PAID", "PARTIALLY APPLIED", "ATTEMPTED", "VOID", "DELETED", None]
    next_run_at: Optional[str]
    future_occurrences: List[str]
    """The next 12 runs."""
    deleted_at: Optional[str]
    created_at: str
    updated_at: str
    customer: "Customer"
    payment_method: Optional["PaymentMethod"]


class Event(TypedDict):
    id: str
    type: str
    resource_id: str
    sequence: int
    """Rises with every change of the resource, from 1; numbers may be skipped."""
    created_at: str
    data: Dict[str, Any]
    """The resource as its GET returned it after the change."""


class DeliveryHistoryItemRequired(TypedDict):
    at: str
    """When it began."""


class DeliveryHistoryItem(DeliveryHistoryItemRequired, total=False):
    ms: int
    """How long it took."""
    answer: Literal["taken", "refused", "failed", "silent", "throttled", "away", "delivered", "undelivered"]
    """The result of the attempt."""
    detail: str
    """For people."""
    by: Literal["operator"]
    """Instead of a result: the operator retried it."""


class Delivery(TypedDict):
    """Its times are real time, even if the account has a clock of its own."""

    id: str
    channel: Literal["email", "sms", "webhook"]
    subject: Literal["transaction", "invoice", "webhook", "event"]
    """The resource that the message is about."""
    subject_id: str
    recipient: str
    """An e-mail address, a phone number in E.164, or an endpoint's id."""
    status: Literal["pending", "sent", "delivered", "parked"]
    """pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good."""
    attempts: int
    """Counted tries. While a provider is unavailable, none is counted."""
    next_attempt_at: Optional[str]
    provider_id: Optional[str]
    """The id that the provider gave it."""
    last_error: Optional[str]
    reason: Literal["refused", "opted_out", "out_of_tries", "expired", "undelivered", "no_target", "suppressed", "sandbox_limit", None]
    """Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked. sandbox_limit: the sandbox account had sent as many messages as it may within a day."""
    history: List["DeliveryHistoryItem"]
    """Its attempts, the oldest first."""
    created_at: str
    updated_at: str
    sent_at: Optional[str]
    delivered_at: Optional[str]


class Webhook(TypedDict):
    """Its times are real time, even if the account has a clock of its own."""

    id: str
    target_url: str
    """As it was sent."""
    event: Union[str, List[str]]
    """A list of one name is returned as that name."""
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]
    """Why the service disabled it; null if you did."""
    paused_at: Optional[str]
    """Since when the operator of the service has paused it: its deliveries wait, and none is lost. Usually null."""
    replaying: bool
    """A replay is under way: some of its events are not queued yet."""
    created_at: str
    updated_at: str


class WebhookWithSecret(TypedDict):
    id: str
    target_url: str
    """As it was sent."""
    event: Union[str, List[str]]
    """A list of one name is returned as that name."""
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]
    """Why the service disabled it; null if you did."""
    paused_at: Optional[str]
    """Since when the operator of the service has paused it: its deliveries wait, and none is lost. Usually null."""
    replaying: bool
    """A replay is under way: some of its events are not queued yet."""
    created_at: str
    updated_at: str
    secret: Optional[str]
    """Signs its deliveries. Shown only once; null if a creation is repeated after the secret was rolled."""


class WebhookDeliveryHistoryItemRequired(TypedDict):
    at: str
    """When it began."""


class WebhookDeliveryHistoryItem(WebhookDeliveryHistoryItemRequired, total=False):
    ms: int
    """How long it took."""
    answer: Literal["taken", "refused", "failed", "silent", "throttled", "away", "delivered", "undelivered"]
    """The result of the attempt."""
    detail: str
    """For people."""
    by: Literal["operator"]
    """Instead of a result: the operator retried it."""


class WebhookDelivery(TypedDict):
    id: str
    channel: Literal["email", "sms", "webhook"]
    subject: Literal["transaction", "invoice", "webhook", "event"]
    """The resource that the message is about."""
    subject_id: str
    recipient: str
    """An e-mail address, a phone number in E.164, or an endpoint's id."""
    status: Literal["pending", "sent", "delivered", "parked"]
    """pending: not sent yet; sent: the provider accepted it; delivered: the provider reported its arrival; parked: it failed for good."""
    attempts: int
    """Counted tries. While a provider is unavailable, none is counted."""
    next_attempt_at: Optional[str]
    provider_id: Optional[str]
    """The id that the provider gave it."""
    last_error: Optional[str]
    reason: Literal["refused", "opted_out", "out_of_tries", "expired", "undelivered", "no_target", "suppressed", "sandbox_limit", None]
    """Why it is parked. suppressed: the address does not exist, as an earlier delivery showed, so the provider was not asked. sandbox_limit: the sandbox account had sent as many messages as it may within a day."""
    history: List["WebhookDeliveryHistoryItem"]
    """Its attempts, the oldest first."""
    created_at: str
    updated_at: str
    sent_at: Optional[str]
    delivered_at: Optional[str]
    event_id: str
    """The `webhook-id` of its requests."""
    event: Optional[str]
    """The name of the event; null once the event is deleted, after 30 days."""


class SandboxClock(TypedDict):
    now: str
    status: Literal["ready", "advancing"]
    target: Optional[str]
    """The instant to which it is being advanced."""
    progress: Optional[float]
    """The part of the advance that is done."""


class GetHealthAnswerRequired(TypedDict):
    status: Literal["ok", "not ready", "stuck"]


class GetHealthAnswer(GetHealthAnswerRequired, total=False):
    reason: str


class GetReadinessAnswerRequired(TypedDict):
    status: Literal["ok", "not ready", "stuck"]


class GetReadinessAnswer(GetReadinessAnswerRequired, total=False):
    reason: str


class GetSelfAnswerTeam(TypedDict):
    id: str
    name: str
    status: Literal["active", "inactive"]
    enabled: bool
    sms_enabled: bool
    split_funding_enabled: bool
    settlement_tokenization_enabled: bool


class GetSelfAnswerAccount(TypedDict):
    id: str
    mode: Literal["sandbox", "live"]
    rate_limit_per_minute: int


class GetSelfAnswerKey(TypedDict):
    name: str
    prefix: str
    dialect: Literal["standard", "stax"]
    """The form of answers to this key."""


class GetSelfAnswer(TypedDict):
    team: "GetSelfAnswerTeam"
    account: "GetSelfAnswerAccount"
    key: "GetSelfAnswerKey"


class CreateCustomerInput(TypedDict, total=False):
    """At least one of firstname, lastname, company and email."""

    firstname: Optional[str]
    """First name."""
    lastname: Optional[str]
    """Last name."""
    company: Optional[str]
    """Company."""
    email: Optional[str]
    phone: Optional[str]
    """E.164, or national digits of the United States. 10 to 15 digits that are no valid number are kept as typed, and no text is sent to them."""
    cc_emails: Optional[List[str]]
    """Addresses that get a copy of every receipt."""
    cc_sms: Optional[List[str]]
    """Addresses that get a copy of every receipt."""
    address_1: Optional[str]
    """Street."""
    address_2: Optional[str]
    """Second line."""
    address_city: Optional[str]
    """City."""
    address_state: Optional[str]
    """State."""
    address_zip: Optional[str]
    """ZIP or postal code."""
    address_country: Optional[str]
    """Country."""
    notes: Optional[str]
    """Notes that only the merchant sees."""
    reference: Optional[str]
    """The merchant’s own reference for the customer."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class ListCustomersQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at", "firstname", "lastname", "company", "email"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    firstname: str
    """An exact match, ignoring case."""
    lastname: str
    """An exact match, ignoring case."""
    company: str
    """An exact match, ignoring case."""
    email: str
    """An exact match, ignoring case."""
    phone: str
    """An exact match, ignoring case."""
    cc_emails: str
    """An exact match, ignoring case."""
    cc_sms: str
    """An exact match, ignoring case."""
    address_1: str
    """An exact match, ignoring case."""
    address_2: str
    """An exact match, ignoring case."""
    address_city: str
    """An exact match, ignoring case."""
    address_state: str
    """An exact match, ignoring case."""
    address_zip: str
    """An exact match, ignoring case."""
    address_country: str
    """An exact match, ignoring case."""
    notes: str
    """An exact match, ignoring case."""
    reference: str
    """An exact match, ignoring case."""
    keywords: List[str]
    """Text to find; if repeated, each must be found. 255 characters together at most."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""
    meta: str
    """No filter: accepted because clients of other services send meta with this list."""


class UpdateCustomerInput(TypedDict, total=False):
    """Absent fields keep their value; meta and lists are replaced as a whole."""

    firstname: Optional[str]
    """First name."""
    lastname: Optional[str]
    """Last name."""
    company: Optional[str]
    """Company."""
    email: Optional[str]
    phone: Optional[str]
    """E.164, or national digits of the United States. 10 to 15 digits that are no valid number are kept as typed, and no text is sent to them."""
    cc_emails: Optional[List[str]]
    """Addresses that get a copy of every receipt."""
    cc_sms: Optional[List[str]]
    """Addresses that get a copy of every receipt."""
    address_1: Optional[str]
    """Street."""
    address_2: Optional[str]
    """Second line."""
    address_city: Optional[str]
    """City."""
    address_state: Optional[str]
    """State."""
    address_zip: Optional[str]
    """ZIP or postal code."""
    address_country: Optional[str]
    """Country."""
    notes: Optional[str]
    """Notes that only the merchant sees."""
    reference: Optional[str]
    """The merchant’s own reference for the customer."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    remove: Optional[List[Literal["firstname", "lastname", "company", "email", "phone", "address_1", "address_2", "address_city", "address_state", "address_zip", "address_country", "notes", "reference"]]]
    """Names of fields to empty. null leaves a field as it is."""


class CreatePaymentMethodInputRequired(TypedDict):
    method: Literal["card", "bank"]
    person_name: str
    """The name on the card or of the account."""


class CreatePaymentMethodInput(CreatePaymentMethodInputRequired, total=False):
    customer_id: Optional[str]
    """Its customer. If absent, a customer is created from person_name."""
    card_number: Optional[str]
    """Sandbox only; becomes a token at once."""
    card_cvv: Optional[str]
    """Checked, never stored."""
    bank_account: Optional[str]
    """Sandbox only; becomes a token at once."""
    bank_routing: Optional[str]
    """Nine digits."""
    payment_method_token: Optional[str]
    """The gateway’s own token, instead of numbers. In the sandbox one for tests, such as tok_sandbox_visa_approve or tok_sandbox_visa_decline (visa, mastercard, amex, discover, bank), or one that the sandbox gave a payer’s browser."""
    nickname: Optional[str]
    """The payer's name for it."""
    card_exp: Optional[str]
    """When the card expires: MMYY, MM/YY, MMYYYY or MM/YYYY."""
    bank_name: Optional[str]
    """Name of the bank."""
    bank_type: Literal["checking", "savings", None]
    bank_holder_type: Literal["personal", "business", None]
    address_1: Optional[str]
    """Street."""
    address_2: Optional[str]
    """Second line."""
    address_city: Optional[str]
    """City."""
    address_state: Optional[str]
    """State."""
    address_zip: Optional[str]
    """ZIP or postal code."""
    address_country: Optional[str]
    """Country."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    is_default: Literal[True, False, 0, 1, "0", "1", None]
    """true makes it the default of its customer, in place of the former one; false does not. When absent, it becomes the default of a customer who has none."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class ListPaymentMethodsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    customer_id: str
    """The customer."""
    method: Literal["card", "bank"]
    """Only this method."""


class UpdatePaymentMethodInput(TypedDict, total=False):
    """Absent fields keep their value; meta is replaced as a whole."""

    nickname: Optional[str]
    """The payer's name for it."""
    person_name: Optional[str]
    """The name on the card or of the account."""
    card_exp: Optional[str]
    """When the card expires: MMYY, MM/YY, MMYYYY or MM/YYYY."""
    bank_name: Optional[str]
    """Name of the bank."""
    bank_type: Literal["checking", "savings", None]
    bank_holder_type: Literal["personal", "business", None]
    address_1: Optional[str]
    """Street."""
    address_2: Optional[str]
    """Second line."""
    address_city: Optional[str]
    """City."""
    address_state: Optional[str]
    """State."""
    address_zip: Optional[str]
    """ZIP or postal code."""
    address_country: Optional[str]
    """Country."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    remove: Optional[List[Literal["nickname", "bank_name", "bank_type", "bank_holder_type", "address_1", "address_2", "address_city", "address_state", "address_zip", "address_country"]]]
    """Names of fields to empty. null leaves a field as it is."""
    is_default: Literal[True, False, 0, 1, "0", "1", None]
    """true makes it the default of its customer, in place of the former one; false ends that."""
    customer_id: Optional[str]
    """Cannot be changed."""
    method: Optional[str]
    """Cannot be changed."""
    card_number: None
    """Cannot be changed."""
    card_cvv: None
    """Cannot be changed."""
    bank_account: None
    """Cannot be changed."""
    bank_routing: None
    """Cannot be changed."""
    payment_method_token: None
    """Cannot be changed."""


class CreateChargeInputFundingItemRequired(TypedDict):
    account_id: str
    """The account that gets the share."""
    amount: Amount
    """The share. A decimal in major units, as a number or as text."""


class CreateChargeInputFundingItem(CreateChargeInputFundingItemRequired, total=False):
    memo: str
    """The purpose of the share."""


class CreateChargeInputRequired(TypedDict):
    total: Amount
    """The amount to charge. A decimal in major units, as a number or as text."""
    payment_method_id: str
    """The card or bank account to charge."""


class CreateChargeInput(CreateChargeInputRequired, total=False):
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    pre_auth: Literal[True, False, 0, 1, "0", "1", None]
    """Only authorize; capture later."""
    currency: Literal["USD", None]
    channel: Optional[str]
    """The origin of the payment, such as card_present."""
    invoice_id: Optional[str]
    """The invoice that it pays; `total` is its balance due."""
    payment_link_id: Optional[str]
    """The payment link through which it came."""
    funding: Optional[List["CreateChargeInputFundingItem"]]
    """Split Funding, in the sandbox only: shares that add up to the total."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class ListTransactionsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at", "total", "last_four", "status"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    type: Literal["charge", "pre_auth", "capture", "void", "refund", "credit", "pre auth"]
    """Only this type; `pre auth` is the same as pre_auth."""
    status: Literal["PENDING", "SUCCESS", "FAILED", "all"]
    """Only this status; `all` is no filter."""
    method: Literal["card", "bank", "cash", "check"]
    """Only this method."""
    success: Literal[True, False, "true", "false", "0", "1"]
    """The outcome; neither value matches a PENDING transaction."""
    is_manual: Literal[True, False, "true", "false", "0", "1"]
    """Whether it was recorded by hand."""
    pre_auth: Literal[True, False, "true", "false", "0", "1"]
    """Authorizations, or other payments."""
    customer_id: str
    """The customer."""
    payment_method_id: str
    """The payment method."""
    invoice_id: str
    """The invoice that it pays."""
    schedule_id: str
    """The schedule that made it."""
    payment_link_id: str
    """The payment link."""
    batch_id: str
    """The batch, once it is closed; refunds in it are listed too."""
    total: Amount
    """Exactly this total. A decimal in major units, as a number or as text."""
    minTotal: Amount
    """At least this total. A decimal in major units, as a number or as text."""
    maxTotal: Amount
    """At most this total. A decimal in major units, as a number or as text."""
    last_four: str
    """The last digits of the card or the account."""
    keywords: List[str]
    """Text to find; if repeated, each must be found. 255 characters together at most."""
    start_date: str
    """Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""
    all: Literal[True, False, "true", "false", "0", "1"]
    """Captures, voids and refunds too; a filter on these types or on batch_id implies it."""
    allTransactionsTopLevel: Literal[True, False, "true", "false", "0", "1"]
    """The same as all."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""
    meta: str
    """No filter: accepted because clients of other services send meta with this list."""


class RecordTransactionInputRequired(TypedDict):
    total: Amount
    """The amount that was paid. A decimal in major units, as a number or as text."""
    type: Literal["charge", "refund", "credit"]
    method: Literal["cash", "check"]
    customer_id: str
    """The customer who paid or was paid."""


class RecordTransactionInput(RecordTransactionInputRequired, total=False):
    currency: Literal["USD", None]
    source: Optional[str]
    """Where the money came from, in your words."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    message: Optional[str]
    """A note about it."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class UpdateTransactionInput(TypedDict, total=False):
    total: Optional[Amount]
    """The amount that was paid. A decimal in major units, as a number or as text."""
    customer_id: Optional[str]
    """The customer who paid or was paid."""
    currency: Literal["USD", None]
    source: Optional[str]
    """Where the money came from, in your words."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    message: Optional[str]
    """A note about it."""
    remove: Optional[List[Literal["source", "message"]]]
    """Names of fields to empty. null leaves a field as it is."""


class GetTransactionFundingItem(TypedDict):
    account_id: str
    amount: float
    """Major units."""
    memo: Optional[str]


class VoidTransactionInput(TypedDict, total=False):
    amount: Optional[Amount]
    """If it is sent, it must be the whole amount. A decimal in major units, as a number or as text."""
    total: Optional[Amount]
    """The same as amount. A decimal in major units, as a number or as text."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class RefundTransactionInput(TypedDict, total=False):
    amount: Optional[Amount]
    """The refunded amount; absent: all that is left. A decimal in major units, as a number or as text."""
    total: Optional[Amount]
    """The same as amount. A decimal in major units, as a number or as text."""
    previously_refunded: Optional[Amount]
    """The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class VoidOrRefundTransactionInput(TypedDict, total=False):
    amount: Optional[Amount]
    """The refunded amount; absent: all that is left. A decimal in major units, as a number or as text."""
    total: Optional[Amount]
    """The same as amount. A decimal in major units, as a number or as text."""
    previously_refunded: Optional[Amount]
    """The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class CaptureTransactionInput(TypedDict, total=False):
    amount: Optional[Amount]
    """The captured amount; absent: all that is left. A decimal in major units, as a number or as text."""
    total: Optional[Amount]
    """The same as amount. A decimal in major units, as a number or as text."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class PutEmailReceiptInput(TypedDict, total=False):
    ccEmails: Optional[List[str]]
    """Recipients of copies of this receipt, in addition to the customer's own."""
    cc_emails: Optional[List[str]]
    """The same as the first spelling. All lists are used, together at most 10."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class EmailReceiptInput(TypedDict, total=False):
    ccEmails: Optional[List[str]]
    """Recipients of copies of this receipt, in addition to the customer's own."""
    cc_emails: Optional[List[str]]
    """The same as the first spelling. All lists are used, together at most 10."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class PutSmsReceiptInput(TypedDict, total=False):
    ccSms: Optional[List[str]]
    """Recipients of copies of this receipt, in addition to the customer's own."""
    ccSMS: Optional[List[str]]
    """The same as the first spelling. All lists are used, together at most 10."""
    cc_sms: Optional[List[str]]
    """The same as the first spelling. All lists are used, together at most 10."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class TextReceiptInput(TypedDict, total=False):
    ccSms: Optional[List[str]]
    """Recipients of copies of this receipt, in addition to the customer's own."""
    ccSMS: Optional[List[str]]
    """The same as the first spelling. All lists are used, together at most 10."""
    cc_sms: Optional[List[str]]
    """The same as the first spelling. All lists are used, together at most 10."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class ListBatchesQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["business_date", "cutoff_at", "created_at", "closed_at", "count", "sales", "refunds", "net"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    start_date: str
    """With this business date or a later one; an instant counts as its date in UTC. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """With this business date or an earlier one. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""
    status: Literal["open", "closing", "closed", "all"]
    """Only this status; `all` is no filter."""


class ListBatchTransactionsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at", "total", "last_four", "status"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""


class ListDepositsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "batched_at", "deposit_at", "count", "sum"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    start_date: str
    """The cutoff of its batch is at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """The cutoff of its batch is at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""


class ListDepositTransactionsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at", "total", "last_four", "status"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    batch_id: str
    """The deposit, which is required in one of its three spellings."""
    batchId: str
    """The same as batch_id."""
    id: str
    """The same as batch_id."""
    start_date: str
    """The cutoff of its batch is at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """The cutoff of its batch is at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""


class ListDisputesQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    transaction_id: str
    """Only those of this transaction."""
    status: Literal["warning", "warning_closed", "needs_response", "under_review", "won", "lost", "all"]
    """Only this status; `all` is no filter."""
    start_date: str
    """Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""


class ListReversalsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    transaction_id: str
    """Only those of this transaction."""
    kind: Literal["refund_failed", "debit_returned"]
    """Only this kind."""
    start_date: str
    """Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""


class CreateSandboxDisputeInput(TypedDict, total=False):
    status: Literal["warning", "warning_closed", "needs_response", "under_review", "won", "lost", None]
    """needs_response when absent."""
    amount: Optional[Amount]
    """The disputed amount. When absent, as before, and at first the whole transaction. A decimal in major units, as a number or as text."""


class CreateSandboxReversalInput(TypedDict, total=False):
    reason: Optional[str]
    """The bank's word for it, such as no_account."""


class ListSchedulesQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["last_run_at", "next_run_at", "count", "created_at", "updated_at", "status"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    status: Literal["active", "paused", "deleted", "all"]
    """Only this status; `all` is no filter."""
    customer_id: str
    """The billed customer."""
    payment_method_id: str
    """The payment method that pays."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""
    meta: str
    """No filter: accepted because clients of other services send meta with this list."""


class CreateScheduleInputRequired(TypedDict):
    total: Amount
    """The total of each invoice. A decimal in major units, as a number or as text."""
    rule: str
    """When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. The times that it names are at least 15 minutes apart, and so are its RDATEs from each other. HOURLY and MINUTELY count elapsed time, and have no BYSETPOS; with BYHOUR they are the daily rule of the same times, and INTERVAL must divide 24 or 60. BYSECOND can only be 0, COUNT is at most 10,000, and there are at most 1,000 dates. In a month without the day, its last day is used."""
    customer_id: str
    """The billed customer."""


class CreateScheduleInput(CreateScheduleInputRequired, total=False):
    payment_method_id: Optional[str]
    """The customer’s payment method that pays each invoice automatically; without one, the customer pays."""
    email_notification: Literal[True, False, 0, 1, "0", "1", None]
    """Invoices are sent by e-mail; true when absent."""
    sms_notification: Literal[True, False, 0, 1, "0", "1", None]
    """Invoices are sent by SMS, while it is enabled for the team; false when absent."""
    missed_runs: Literal["all", "one", "skip", None]
    """Runs that could not be made in time: `all` are made later, `one` run is made for all of them, or `skip` them. `all` when absent."""
    url: Optional[str]
    """An http or https address of yours."""
    channel: Optional[str]
    """The origin, passed on to its invoices and payments."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    start: Optional[str]
    """The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation. From 1900 to 2099: with a sandbox clock beyond them it must be sent."""
    timezone: Optional[str]
    """The zone of its wall clock. When absent at creation: the TZID of the DTSTART, else America/New_York."""
    currency: Literal["USD", None]
    status: Literal["active", "paused", None]
    """A paused schedule makes no run until it is resumed; active when absent."""
    active: Literal[True, False, 0, 1, "0", "1", None]
    """The same as status, active or paused."""
    max_runs: None
    """Only null: it follows from the rule: send COUNT in it."""
    end_at: None
    """Only null: it follows from the rule: send UNTIL or COUNT in it."""
    next_run_at: None
    """Only null: it follows from the rule and the start: send the first run as start."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class UpdateScheduleInput(TypedDict, total=False):
    """Absent fields keep their value; `meta` is replaced as a whole. The change applies to future runs. A rule without a start keeps the current start."""

    total: Optional[Amount]
    """The total of each invoice. A decimal in major units, as a number or as text."""
    payment_method_id: Optional[str]
    """The customer’s payment method that pays each invoice automatically; without one, the customer pays."""
    email_notification: Literal[True, False, 0, 1, "0", "1", None]
    """Invoices are sent by e-mail; true when absent."""
    sms_notification: Literal[True, False, 0, 1, "0", "1", None]
    """Invoices are sent by SMS, while it is enabled for the team; false when absent."""
    missed_runs: Literal["all", "one", "skip", None]
    """Runs that could not be made in time: `all` are made later, `one` run is made for all of them, or `skip` them. `all` when absent."""
    url: Optional[str]
    """An http or https address of yours."""
    channel: Optional[str]
    """The origin, passed on to its invoices and payments."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    rule: Optional[str]
    """When it runs: a recurrence rule after RFC 5545, with or without `RRULE:`. `DTSTART`, `EXDATE` and `RDATE` may stand beside it, each in a line of its own. The times that it names are at least 15 minutes apart, and so are its RDATEs from each other. HOURLY and MINUTELY count elapsed time, and have no BYSETPOS; with BYHOUR they are the daily rule of the same times, and INTERVAL must divide 24 or 60. BYSECOND can only be 0, COUNT is at most 10,000, and there are at most 1,000 dates. In a month without the day, its last day is used."""
    start: Optional[str]
    """The first possible run, as `DTSTART` inside the rule: local time of `timezone`, or an exact instant with `Z` or an offset. The next full minute if absent at creation. From 1900 to 2099: with a sandbox clock beyond them it must be sent."""
    timezone: Optional[str]
    """The zone of its wall clock. When absent at creation: the TZID of the DTSTART, else America/New_York."""
    remove: Optional[List[Literal["payment_method_id", "url", "channel"]]]
    """Names of fields to empty. null leaves a field as it is."""
    status: Literal["active", "paused", None]
    """Runs that fall due while the schedule is paused are not made."""
    active: Literal[True, False, 0, 1, "0", "1", None]
    """The same as status, active or paused."""
    customer_id: Optional[str]
    """Cannot be changed; the current value is accepted."""
    currency: Literal["USD", None]
    max_runs: Optional[int]
    """Cannot be changed; the current value is accepted. It is COUNT of the rule."""
    end_at: Optional[str]
    """Cannot be changed; the current value is accepted. UNTIL or COUNT of the rule say it."""
    next_run_at: Optional[str]
    """Cannot be changed; the current value is accepted. So is an instant that has passed, as in a copy that was read before a run. The rule and `start` say it."""


class ListInvoicesQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at", "due_at", "total", "status", "paid_at"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    status: Literal["DRAFT", "SENT", "VIEWED", "PAID", "PARTIALLY APPLIED", "ATTEMPTED", "VOID", "DELETED", "all"]
    """Only this status. Deleted invoices are listed only with DELETED; `all` is no filter."""
    customer_id: str
    """The customer who must pay."""
    payment_method_id: str
    """The payment method that pays it."""
    schedule_id: str
    """The schedule that made it."""
    keywords: List[str]
    """Text to find; if repeated, each must be found. 255 characters together at most."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""
    meta: str
    """No filter: accepted because clients of other services send meta with this list."""


class CreateInvoiceInputRequired(TypedDict):
    total: Amount
    """The amount to pay. A decimal in major units, as a number or as text."""
    customer_id: str
    """The customer who must pay."""


class CreateInvoiceInput(CreateInvoiceInputRequired, total=False):
    payment_method_id: Optional[str]
    """The customer’s payment method that pays it, unless a payment names another one."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    due_at: Optional[str]
    """When the payment is due: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset. A date alone, and midnight without an offset, means that day in every zone."""
    currency: Literal["USD", None]
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class UpdateInvoiceInput(TypedDict, total=False):
    """Absent fields keep their value; `meta` is replaced as a whole."""

    total: Optional[Amount]
    """The amount to pay. A decimal in major units, as a number or as text."""
    payment_method_id: Optional[str]
    """The customer’s payment method that pays it, unless a payment names another one."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    due_at: Optional[str]
    """When the payment is due: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset. A date alone, and midnight without an offset, means that day in every zone."""
    remove: Optional[List[Literal["due_at", "payment_method_id"]]]
    """Names of fields to empty. null leaves a field as it is."""
    customer_id: Optional[str]
    """Cannot be changed; the current value is accepted."""
    currency: Literal["USD", None]


class PayInvoiceInput(TypedDict, total=False):
    payment_method_id: Optional[str]
    """A payment method of its customer; that of the invoice when absent."""
    apply_balance: Optional[Amount]
    """The balance due as you know it. An invoice must be paid in full, so another amount is refused. A decimal in major units, as a number or as text."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class PayInvoiceInCashInput(TypedDict, total=False):
    total: Optional[Amount]
    """The amount that was paid. An invoice must be paid in full, so an amount other than the balance due is refused. A decimal in major units, as a number or as text."""
    message: Optional[str]
    """A note about it, such as the number of the check."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class PayInvoiceByCheckInput(TypedDict, total=False):
    total: Optional[Amount]
    """The amount that was paid. An invoice must be paid in full, so an amount other than the balance due is refused. A decimal in major units, as a number or as text."""
    message: Optional[str]
    """A note about it, such as the number of the check."""
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class PutEmailInvoiceInput(TypedDict, total=False):
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class EmailInvoiceInput(TypedDict, total=False):
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class PutSmsInvoiceInput(TypedDict, total=False):
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class TextInvoiceInput(TypedDict, total=False):
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class ListItemsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at", "item"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    is_active: Literal[True, False, "true", "false", "0", "1"]
    """Only items that are offered, or only the others."""
    code: str
    """An exact match, ignoring case."""
    keywords: List[str]
    """Text to find; if repeated, each must be found. 255 characters together at most."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""
    meta: str
    """No filter: accepted because clients of other services send meta with this list."""


class CreateItemInputRequired(TypedDict):
    item: str
    """Its name."""


class CreateItemInput(CreateItemInputRequired, total=False):
    code: Optional[str]
    """The merchant’s own code for it, such as a SKU."""
    details: Optional[str]
    """The text about it on a bill."""
    price: Optional[Amount]
    """The price of one. A decimal in major units, as a number or as text; 0 means no amount."""
    is_active: Literal[True, False, 0, 1, "0", "1", None]
    """Whether it is offered; true when absent."""
    is_taxable: Literal[True, False, 0, 1, "0", "1", None]
    """Whether tax is added to it; false when absent."""
    is_service: Literal[True, False, 0, 1, "0", "1", None]
    """Whether it is a service; false when absent."""
    in_stock: Optional[int]
    """How many there are, as the merchant counts them."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    currency: Literal["USD", None]
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class UpdateItemInput(TypedDict, total=False):
    """Absent fields keep their value; meta is replaced as a whole."""

    item: Optional[str]
    """Its name."""
    code: Optional[str]
    """The merchant’s own code for it, such as a SKU."""
    details: Optional[str]
    """The text about it on a bill."""
    price: Optional[Amount]
    """The price of one. A decimal in major units, as a number or as text; 0 means no amount."""
    is_active: Literal[True, False, 0, 1, "0", "1", None]
    """Whether it is offered; true when absent."""
    is_taxable: Literal[True, False, 0, 1, "0", "1", None]
    """Whether tax is added to it; false when absent."""
    is_service: Literal[True, False, 0, 1, "0", "1", None]
    """Whether it is a service; false when absent."""
    in_stock: Optional[int]
    """How many there are, as the merchant counts them."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    remove: Optional[List[Literal["code", "details", "in_stock"]]]
    """Names of fields to empty. null leaves a field as it is."""
    currency: Literal["USD", None]


class ListEventsQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    type: Literal["create_transaction", "update_transaction", "update_transaction_settled", "create_invoice", "update_invoice", "create_scheduled_invoice", "update_scheduled_invoice", "delete_scheduled_invoice", "create_customer", "update_customer", "delete_customer", "create_payment_method", "update_payment_method", "delete_payment_method", "create_payment_link", "update_payment_link", "delete_payment_link", "create_batch", "create_deposit", "deposit_failed", "create_dispute", "update_dispute", "create_reversal", "webhook_disabled", "webhook_test"]
    """The name of the event."""
    resource_id: str
    """The changed resource."""
    start_date: str
    """Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""


class ListWebhooksQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at", "updated_at"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    status: Literal["active", "disabled", "all"]
    """Only this status; `all` is no filter."""
    event: Literal["*", "create_transaction", "update_transaction", "update_transaction_settled", "create_invoice", "update_invoice", "create_scheduled_invoice", "update_scheduled_invoice", "delete_scheduled_invoice", "create_customer", "update_customer", "delete_customer", "create_payment_method", "update_payment_method", "delete_payment_method", "create_payment_link", "update_payment_link", "delete_payment_link", "create_batch", "create_deposit", "deposit_failed", "create_dispute", "update_dispute", "create_reversal", "webhook_disabled"]
    """Only webhooks that get this event, by its name or by `*`."""


class CreateWebhookInputRequired(TypedDict):
    target_url: str
    """Where events are posted to: an https address of the public internet, without a user, a password or a fragment."""
    event: Union[str, List[Literal["*", "create_transaction", "update_transaction", "update_transaction_settled", "create_invoice", "update_invoice", "create_scheduled_invoice", "update_scheduled_invoice", "delete_scheduled_invoice", "create_customer", "update_customer", "delete_customer", "create_payment_method", "update_payment_method", "delete_payment_method", "create_payment_link", "update_payment_link", "delete_payment_link", "create_batch", "create_deposit", "deposit_failed", "create_dispute", "update_dispute", "create_reversal", "webhook_disabled"]]]
    """The events that it gets: `*` for all, one name, or a list of names."""


class CreateWebhookInput(CreateWebhookInputRequired, total=False):
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class UpdateWebhookInput(TypedDict, total=False):
    """Absent fields keep their value."""

    target_url: Optional[str]
    """Where events are posted to: an https address of the public internet, without a user, a password or a fragment."""
    event: Optional[Union[str, List[Literal["*", "create_transaction", "update_transaction", "update_transaction_settled", "create_invoice", "update_invoice", "create_scheduled_invoice", "update_scheduled_invoice", "delete_scheduled_invoice", "create_customer", "update_customer", "delete_customer", "create_payment_method", "update_payment_method", "delete_payment_method", "create_payment_link", "update_payment_link", "delete_payment_link", "create_batch", "create_deposit", "deposit_failed", "create_dispute", "update_dispute", "create_reversal", "webhook_disabled"]]]]
    """The events that it gets: `*` for all, one name, or a list of names."""
    status: Literal["active", "disabled", None]
    """A disabled webhook gets no events; disabling it ends a replay."""


class RollWebhookSecretInput(TypedDict, total=False):
    expires_in: Optional[int]
    """How many seconds the old secret still signs beside the new one; 86400, a day, when absent."""


class ListWebhookDeliveriesQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["created_at"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    status: Literal["pending", "sent", "delivered", "parked", "all"]
    """Only this status; `all` is no filter."""
    start_date: str
    """Created at this instant or later. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    startDate: str
    """The same as start_date."""
    end_date: str
    """Created at this instant or earlier; a date includes that whole day. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset."""
    endDate: str
    """The same as end_date."""


class TestWebhookInput(TypedDict, total=False):
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class ReplayWebhookInput(TypedDict):
    since: str
    """Events written at this real time or later, at most 30 days ago. ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset."""


class CreatePaymentLinkInputLinkMeta(TypedDict, total=False):
    """Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text."""

    memo: Optional[str]
    """Shown to the payer."""
    successRedirect: Optional[str]
    """The page for the payer after a payment: an http or https address."""
    isTotalEditable: Literal[True, False, 0, 1, "0", "1", None]
    """The payer may change the amount."""


class CreatePaymentLinkInputRequired(TypedDict):
    common_name: str
    """The merchant’s name for the link."""


class CreatePaymentLinkInput(CreatePaymentLinkInputRequired, total=False):
    amount: Optional[Amount]
    """The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 means no amount."""
    active: Literal[True, False, 0, 1, "0", "1", None]
    """Whether payers can pay through it; true when absent at creation."""
    link_meta: Optional["CreatePaymentLinkInputLinkMeta"]
    """Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    currency: Literal["USD", None]
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class UpdatePaymentLinkInputLinkMeta(TypedDict, total=False):
    """Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text."""

    memo: Optional[str]
    """Shown to the payer."""
    successRedirect: Optional[str]
    """The page for the payer after a payment: an http or https address."""
    isTotalEditable: Literal[True, False, 0, 1, "0", "1", None]
    """The payer may change the amount."""


class UpdatePaymentLinkInput(TypedDict, total=False):
    """Absent fields keep their value; `meta` and `link_meta` are replaced as a whole."""

    common_name: Optional[str]
    """The merchant’s name for the link."""
    amount: Optional[Amount]
    """The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 means no amount."""
    active: Literal[True, False, 0, 1, "0", "1", None]
    """Whether payers can pay through it; true when absent at creation."""
    link_meta: Optional["UpdatePaymentLinkInputLinkMeta"]
    """Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    currency: Literal["USD", None]


class DeletePaymentLinkAnswer(TypedDict):
    status: Literal[200]
    message: str


class ListPaymentLinksQuery(TypedDict, total=False):
    page: int
    """1 when absent."""
    limit: int
    """50 when absent."""
    per_page: int
    """The same as limit."""
    sort: Literal["common_name", "amount", "created_at", "total_sales", "total_transactions"]
    """created_at when absent."""
    order: str
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    amount: Amount
    """Exactly this amount; 0 finds links without one."""
    common_name: str
    """An exact match, ignoring case."""
    active: Literal[True, False, "true", "false", "0", "1"]
    """Only active links, or only inactive ones."""
    keywords: List[str]
    """Text to find; if repeated, each must be found. 255 characters together at most."""
    user_id: str
    """No filter: accepted because clients of other services send user_id with this list."""
    meta: str
    """No filter: accepted because clients of other services send meta with this list."""


class QueryPaymentLinksInputPart1LinkMeta(TypedDict, total=False):
    """Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text."""

    memo: Optional[str]
    """Shown to the payer."""
    successRedirect: Optional[str]
    """The page for the payer after a payment: an http or https address."""
    isTotalEditable: Literal[True, False, 0, 1, "0", "1", None]
    """The payer may change the amount."""


class QueryPaymentLinksInputPart1Required(TypedDict):
    common_name: str
    """The merchant’s name for the link."""
    link_meta: "QueryPaymentLinksInputPart1LinkMeta"
    """Settings of the page, and any JSON of your own, up to 16 KiB together. Whole numbers beyond 9007199254740991 (2^53 - 1) are refused: send them as text."""


class QueryPaymentLinksInputPart1(QueryPaymentLinksInputPart1Required, total=False):
    amount: Optional[Amount]
    """The amount to pay. Without it the payer enters one. A decimal in major units, as a number or as text; 0 means no amount."""
    active: Literal[True, False, 0, 1, "0", "1", None]
    """Whether payers can pay through it; true when absent at creation."""
    meta: Optional[Dict[str, Any]]
    """Any JSON of your own, up to 16 KiB, returned as it was sent. Whole numbers beyond 9007199254740991 (2^53 - 1) that are written in digits are refused, since JSON readers round them: send them as text."""
    currency: Literal["USD", None]
    idempotency_id: Optional[str]
    """The same as the header Idempotency-Key."""


class QueryPaymentLinksInputPart2(TypedDict, total=False):
    page: Optional[Union[int, str]]
    """1 when absent."""
    limit: Optional[Union[int, str]]
    """1 to 200; 50 when absent."""
    per_page: Optional[Union[int, str]]
    """The same as limit."""
    sort: Literal["common_name", "amount", "created_at", "total_sales", "total_transactions", None]
    order: Optional[str]
    """ASC or DESC, in upper or lower case; DSC is the same as DESC. DESC when absent."""
    amount: Optional[Amount]
    """Exactly this amount; 0 finds links without one."""
    common_name: Optional[str]
    """An exact match, ignoring case."""
    active: Literal[True, False, 0, 1, "0", "1", None]
    """Only active links, or only inactive ones."""
    keywords: Optional[Union[str, List[str]]]
    """One text, or a list of texts that must all be found."""
    user_id: Optional[str]
    """No filter: accepted because clients of other services send user_id with this list."""
    meta: Optional[Dict[str, Any]]
    """No filter; accepted."""
    url: Any
    """Refused: a body that creates a link has link_meta."""


QueryPaymentLinksInput = Union["QueryPaymentLinksInputPart1", "QueryPaymentLinksInputPart2"]


QueryPaymentLinksAnswerPart1 = TypedDict(
    "QueryPaymentLinksAnswerPart1",
    {
        "data": "List['PaymentLink']",
        "total": "int",
        "per_page": "int",
        "current_page": "int",
        "last_page": "int",
        "from": "Optional[int]",
        "to": "Optional[int]",
        "next_page_url": "Optional[str]",
        "prev_page_url": "Optional[str]",
    },
)


class QueryPaymentLinksAnswerPart2(TypedDict):
    status: Literal[200]
    message: str
    body: "PaymentLink"


QueryPaymentLinksAnswer = Union["QueryPaymentLinksAnswerPart1", "QueryPaymentLinksAnswerPart2"]


class SetSandboxClockInput(TypedDict):
    now: str
    """ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; UTC unless it names an offset. From 1970 to 8999, and at most ten years ahead of the account's current time, except for the first setting in an account without transactions and schedules."""


class CustomerPage(PageFields):
    data: List["Customer"]


class PaymentMethodPage(PageFields):
    data: List["PaymentMethod"]


class TransactionPage(PageFields):
    data: List["Transaction"]


class BatchPage(PageFields):
    data: List["Batch"]


class DepositPage(PageFields):
    data: List["Deposit"]


class DepositTransactionPage(PageFields):
    data: List["DepositTransaction"]


class DisputePage(PageFields):
    data: List["Dispute"]


class ReversalPage(PageFields):
    data: List["Reversal"]


class ScheduledInvoicePage(PageFields):
    data: List["ScheduledInvoice"]


class InvoicePage(PageFields):
    data: List["Invoice"]


class ItemPage(PageFields):
    data: List["Item"]


class EventPage(PageFields):
    data: List["Event"]


class WebhookPage(PageFields):
    data: List["Webhook"]


class WebhookDeliveryPage(PageFields):
    data: List["WebhookDelivery"]


class PaymentLinkPage(PageFields):
    data: List["PaymentLink"]
