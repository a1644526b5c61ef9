# Made by `npm run openapi`; do not edit.

from __future__ import annotations

from typing import Any, Iterator, List, Literal, Optional, Tuple, overload

from . import types as t

#: The method and the path of each operation, what it takes beside the id, and the fields of its body.
OPERATIONS = {
    "get_health": "GET /healthz none",
    "get_readiness": "GET /readyz none",
    "get_metrics": "GET /metrics none",
    "get_self": "GET /self none",
    "create_customer": "POST /customer keyed firstname lastname company email phone cc_emails cc_sms address_1 address_2 address_city address_state address_zip address_country notes reference meta idempotency_id",
    "list_customers": "GET /customer query",
    "get_customer": "GET /customer/{id} none",
    "update_customer": "PUT /customer/{id} body firstname lastname company email phone cc_emails cc_sms address_1 address_2 address_city address_state address_zip address_country notes reference meta remove id created_at updated_at",
    "delete_customer": "DELETE /customer/{id} none",
    "list_customer_payment_methods": "GET /customer/{id}/payment-method none",
    "create_payment_method": "POST /payment-method keyed customer_id method card_number card_cvv bank_account bank_routing payment_method_token nickname person_name card_exp bank_name bank_type bank_holder_type address_1 address_2 address_city address_state address_zip address_country meta is_default idempotency_id",
    "list_payment_methods": "GET /payment-method query",
    "get_payment_method": "GET /payment-method/{id} none",
    "update_payment_method": "PUT /payment-method/{id} body nickname person_name card_exp bank_name bank_type bank_holder_type address_1 address_2 address_city address_state address_zip address_country meta remove is_default customer_id method card_number card_cvv bank_account bank_routing payment_method_token id card_type card_last_four bank_last_four created_at updated_at",
    "delete_payment_method": "DELETE /payment-method/{id} none",
    "create_charge": "POST /charge keyed total payment_method_id meta pre_auth currency channel invoice_id payment_link_id funding idempotency_id",
    "list_transactions": "GET /transaction query",
    "record_transaction": "POST /transaction keyed total type method customer_id currency source meta message idempotency_id",
    "get_transaction": "GET /transaction/{id} none",
    "update_transaction": "PUT /transaction/{id} body total customer_id currency source meta message remove id type method status success decline_code retry total_refunded pre_auth is_captured hold_ended_at is_voided is_voidable is_refundable is_manual channel payment_method_id invoice_id schedule_id payment_link_id reference_id auth_id batch_id batched_at settled_at idempotency_id gateway_name last_four receipt_email_at receipt_sms_at created_at updated_at customer payment_method child_transactions child_captures",
    "list_related_transactions": "GET /transaction/{id}/related none",
    "get_transaction_funding": "GET /transaction/{id}/funding none",
    "void_transaction": "POST /transaction/{id}/void keyed amount total idempotency_id",
    "refund_transaction": "POST /transaction/{id}/refund keyed amount total previously_refunded idempotency_id",
    "void_or_refund_transaction": "POST /transaction/{id}/void-or-refund keyed amount total previously_refunded idempotency_id",
    "capture_transaction": "POST /transaction/{id}/capture keyed amount total idempotency_id",
    "put_email_receipt": "PUT /transaction/{id}/receipt/email keyed ccEmails cc_emails idempotency_id id type method status success message decline_code retry total total_refunded currency pre_auth is_captured hold_ended_at is_voided is_voidable is_refundable is_manual source channel customer_id payment_method_id invoice_id schedule_id payment_link_id reference_id auth_id batch_id batched_at settled_at gateway_name last_four meta receipt_email_at receipt_sms_at created_at updated_at customer payment_method child_transactions child_captures",
    "email_receipt": "POST /transaction/{id}/receipt/email keyed ccEmails cc_emails idempotency_id",
    "put_sms_receipt": "PUT /transaction/{id}/receipt/sms keyed ccSms ccSMS cc_sms idempotency_id id type method status success message decline_code retry total total_refunded currency pre_auth is_captured hold_ended_at is_voided is_voidable is_refundable is_manual source channel customer_id payment_method_id invoice_id schedule_id payment_link_id reference_id auth_id batch_id batched_at settled_at gateway_name last_four meta receipt_email_at receipt_sms_at created_at updated_at customer payment_method child_transactions child_captures",
    "text_receipt": "POST /transaction/{id}/receipt/sms keyed ccSms ccSMS cc_sms idempotency_id",
    "list_receipts": "GET /transaction/{id}/receipt none",
    "list_batches": "GET /batch query",
    "get_batch": "GET /batch/{id} none",
    "list_batch_transactions": "GET /batch/{id}/transaction query",
    "list_deposits": "GET /query/deposit query",
    "list_deposit_transactions": "GET /query/depositDetail query",
    "list_disputes": "GET /dispute query",
    "list_reversals": "GET /reversal query",
    "get_dispute": "GET /dispute/{id} none",
    "get_reversal": "GET /reversal/{id} none",
    "create_sandbox_dispute": "POST /sandbox/transaction/{id}/dispute body status amount",
    "create_sandbox_reversal": "POST /sandbox/transaction/{id}/reversal body reason",
    "list_schedules": "GET /invoice/schedule query",
    "create_schedule": "POST /invoice/schedule keyed total payment_method_id email_notification sms_notification missed_runs url channel meta rule customer_id start timezone currency status active max_runs end_at next_run_at idempotency_id",
    "get_schedule": "GET /invoice/schedule/{id} none",
    "update_schedule": "PUT /invoice/schedule/{id} body total payment_method_id email_notification sms_notification missed_runs url channel meta rule start timezone remove status active customer_id currency max_runs end_at next_run_at id rule_text count last_run_at last_invoice_status future_occurrences deleted_at created_at updated_at customer payment_method",
    "delete_schedule": "DELETE /invoice/schedule/{id} none",
    "list_invoices": "GET /invoice query",
    "create_invoice": "POST /invoice keyed total payment_method_id meta customer_id due_at currency idempotency_id",
    "get_invoice": "GET /invoice/{id} none",
    "update_invoice": "PUT /invoice/{id} body total payment_method_id meta due_at remove customer_id currency id status total_paid balance_due payment_under_way schedule_id url sent_at viewed_at paid_at next_retry_at created_at updated_at",
    "delete_invoice": "DELETE /invoice/{id} none",
    "pay_invoice": "POST /invoice/{id}/pay keyed payment_method_id apply_balance meta idempotency_id",
    "pay_invoice_in_cash": "POST /invoice/{id}/pay/cash keyed total message idempotency_id",
    "pay_invoice_by_check": "POST /invoice/{id}/pay/check keyed total message idempotency_id",
    "put_email_invoice": "PUT /invoice/{id}/send/email keyed idempotency_id id status total total_paid balance_due payment_under_way currency customer_id payment_method_id schedule_id url meta due_at sent_at viewed_at paid_at next_retry_at created_at updated_at",
    "email_invoice": "POST /invoice/{id}/send/email keyed idempotency_id",
    "put_sms_invoice": "PUT /invoice/{id}/send/sms keyed idempotency_id id status total total_paid balance_due payment_under_way currency customer_id payment_method_id schedule_id url meta due_at sent_at viewed_at paid_at next_retry_at created_at updated_at",
    "text_invoice": "POST /invoice/{id}/send/sms keyed idempotency_id",
    "list_items": "GET /item query",
    "create_item": "POST /item keyed item code details price is_active is_taxable is_service in_stock meta currency idempotency_id",
    "get_item": "GET /item/{id} none",
    "update_item": "PUT /item/{id} body item code details price is_active is_taxable is_service in_stock meta remove currency id created_at updated_at deleted_at",
    "delete_item": "DELETE /item/{id} none",
    "list_events": "GET /event query",
    "list_webhooks": "GET /webhook query",
    "create_webhook": "POST /webhook keyed target_url event idempotency_id",
    "get_webhook": "GET /webhook/{id} none",
    "update_webhook": "PUT /webhook/{id} body target_url event status id disabled_reason paused_at replaying created_at updated_at",
    "delete_webhook": "DELETE /webhook/{id} none",
    "roll_webhook_secret": "POST /webhook/{id}/roll-secret body expires_in",
    "list_webhook_deliveries": "GET /webhook/{id}/delivery query",
    "test_webhook": "POST /webhook/{id}/test keyed idempotency_id",
    "replay_webhook": "POST /webhook/{id}/replay body since",
    "create_payment_link": "POST /payment-link keyed common_name amount active link_meta meta currency idempotency_id",
    "get_payment_link": "GET /query/payment-links/{id} none",
    "update_payment_link": "PUT /query/payment-links/{id} body common_name amount active link_meta meta currency id url qr_code_url total_sales total_transactions created_at updated_at",
    "delete_payment_link": "DELETE /query/payment-links/{id} none",
    "list_payment_links": "GET /query/payment-links query",
    "query_payment_links": "POST /query/payment-links keyed common_name amount active link_meta meta currency idempotency_id page limit per_page sort order keywords user_id url",
    "get_payment_link_qr_code": "GET /pay/{id}/qr.svg none",
    "get_sandbox_clock": "GET /sandbox/clock none",
    "set_sandbox_clock": "POST /sandbox/clock body now",
    "delete_sandbox_clock": "DELETE /sandbox/clock none",
}


class Operations:
    """A method for each operation of the API, named by its operationId."""

    def _call(
        self,
        name: str,
        id: Optional[str],
        given: Any,
        timeout: Optional[float],
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> Any:
        raise NotImplementedError

    def _each(self, name: str, args: Tuple[Any, ...]) -> Iterator[Any]:
        raise NotImplementedError

    def _csv(self, name: str, args: Tuple[Any, ...]) -> str:
        raise NotImplementedError

    def get_health(self, *, timeout: Optional[float] = None) -> t.GetHealthAnswer:
        """The process is alive."""
        return self._call("get_health", None, None, timeout)

    def get_readiness(self, *, timeout: Optional[float] = None) -> t.GetReadinessAnswer:
        """The process can serve requests."""
        return self._call("get_readiness", None, None, timeout)

    def get_metrics(self, *, timeout: Optional[float] = None) -> str:
        """Metrics for Prometheus."""
        return self._call("get_metrics", None, None, timeout)

    def get_self(self, *, timeout: Optional[float] = None) -> t.GetSelfAnswer:
        """The team and account of the key."""
        return self._call("get_self", None, None, timeout)

    def create_customer(
        self,
        body: Optional[t.CreateCustomerInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Customer:
        """Create a customer."""
        return self._call("create_customer", None, body, timeout, idempotency_key)

    def list_customers(
        self,
        query: Optional[t.ListCustomersQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.CustomerPage:
        """List customers."""
        return self._call("list_customers", None, query, timeout)

    def get_customer(self, id: str, *, timeout: Optional[float] = None) -> t.Customer:
        """Get a customer."""
        return self._call("get_customer", id, None, timeout)

    def update_customer(
        self,
        id: str,
        body: Optional[t.UpdateCustomerInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Customer:
        """Change a customer."""
        return self._call("update_customer", id, body, timeout)

    def delete_customer(self, id: str, *, timeout: Optional[float] = None) -> t.Customer:
        """Delete a customer."""
        return self._call("delete_customer", id, None, timeout)

    def list_customer_payment_methods(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> List[t.PaymentMethod]:
        """List the payment methods of a customer."""
        return self._call("list_customer_payment_methods", id, None, timeout)

    def create_payment_method(
        self,
        body: t.CreatePaymentMethodInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.PaymentMethod:
        """Create a payment method."""
        return self._call("create_payment_method", None, body, timeout, idempotency_key)

    def list_payment_methods(
        self,
        query: Optional[t.ListPaymentMethodsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.PaymentMethodPage:
        """List payment methods."""
        return self._call("list_payment_methods", None, query, timeout)

    def get_payment_method(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.PaymentMethod:
        """Get a payment method."""
        return self._call("get_payment_method", id, None, timeout)

    def update_payment_method(
        self,
        id: str,
        body: Optional[t.UpdatePaymentMethodInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.PaymentMethod:
        """Change a payment method."""
        return self._call("update_payment_method", id, body, timeout)

    def delete_payment_method(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.PaymentMethod:
        """Delete a payment method."""
        return self._call("delete_payment_method", id, None, timeout)

    def create_charge(
        self,
        body: t.CreateChargeInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> t.Transaction:
        """Charge a payment method."""
        return self._call("create_charge", None, body, timeout, idempotency_key, respond_async)

    def list_transactions(
        self,
        query: Optional[t.ListTransactionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.TransactionPage:
        """List transactions."""
        return self._call("list_transactions", None, query, timeout)

    def record_transaction(
        self,
        body: t.RecordTransactionInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """Record a transaction by hand."""
        return self._call("record_transaction", None, body, timeout, idempotency_key)

    def get_transaction(self, id: str, *, timeout: Optional[float] = None) -> t.Transaction:
        """Get a transaction."""
        return self._call("get_transaction", id, None, timeout)

    def update_transaction(
        self,
        id: str,
        body: Optional[t.UpdateTransactionInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Transaction:
        """Change a transaction that was recorded by hand."""
        return self._call("update_transaction", id, body, timeout)

    def list_related_transactions(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> List[t.Transaction]:
        """List the children of a transaction."""
        return self._call("list_related_transactions", id, None, timeout)

    def get_transaction_funding(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> List[t.GetTransactionFundingItem]:
        """Get the funding instructions of a transaction."""
        return self._call("get_transaction_funding", id, None, timeout)

    def void_transaction(
        self,
        id: str,
        body: Optional[t.VoidTransactionInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> t.Transaction:
        """Void a transaction."""
        return self._call("void_transaction", id, body, timeout, idempotency_key, respond_async)

    def refund_transaction(
        self,
        id: str,
        body: Optional[t.RefundTransactionInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> t.Transaction:
        """Refund a transaction."""
        return self._call(
            "refund_transaction",
            id,
            body,
            timeout,
            idempotency_key,
            respond_async,
        )

    def void_or_refund_transaction(
        self,
        id: str,
        body: Optional[t.VoidOrRefundTransactionInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> t.Transaction:
        """Void or refund a transaction."""
        return self._call(
            "void_or_refund_transaction",
            id,
            body,
            timeout,
            idempotency_key,
            respond_async,
        )

    def capture_transaction(
        self,
        id: str,
        body: Optional[t.CaptureTransactionInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> t.Transaction:
        """Capture a pre_auth."""
        return self._call(
            "capture_transaction",
            id,
            body,
            timeout,
            idempotency_key,
            respond_async,
        )

    def put_email_receipt(
        self,
        id: str,
        body: Optional[t.PutEmailReceiptInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """E-mail a receipt, as by POST."""
        return self._call("put_email_receipt", id, body, timeout, idempotency_key)

    def email_receipt(
        self,
        id: str,
        body: Optional[t.EmailReceiptInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """E-mail a receipt."""
        return self._call("email_receipt", id, body, timeout, idempotency_key)

    def put_sms_receipt(
        self,
        id: str,
        body: Optional[t.PutSmsReceiptInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """Text a receipt, as by POST."""
        return self._call("put_sms_receipt", id, body, timeout, idempotency_key)

    def text_receipt(
        self,
        id: str,
        body: Optional[t.TextReceiptInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """Text a receipt."""
        return self._call("text_receipt", id, body, timeout, idempotency_key)

    def list_receipts(self, id: str, *, timeout: Optional[float] = None) -> List[t.Delivery]:
        """List the receipts of a transaction."""
        return self._call("list_receipts", id, None, timeout)

    def list_batches(
        self,
        query: Optional[t.ListBatchesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.BatchPage:
        """List batches."""
        return self._call("list_batches", None, query, timeout)

    def get_batch(self, id: str, *, timeout: Optional[float] = None) -> t.Batch:
        """Get a batch."""
        return self._call("get_batch", id, None, timeout)

    def list_batch_transactions(
        self,
        id: str,
        query: Optional[t.ListBatchTransactionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.TransactionPage:
        """List the transactions of a batch."""
        return self._call("list_batch_transactions", id, query, timeout)

    def list_deposits(
        self,
        query: Optional[t.ListDepositsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.DepositPage:
        """List deposits."""
        return self._call("list_deposits", None, query, timeout)

    def list_deposit_transactions(
        self,
        query: Optional[t.ListDepositTransactionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.DepositTransactionPage:
        """List the transactions of a deposit."""
        return self._call("list_deposit_transactions", None, query, timeout)

    def list_disputes(
        self,
        query: Optional[t.ListDisputesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.DisputePage:
        """List disputes."""
        return self._call("list_disputes", None, query, timeout)

    def list_reversals(
        self,
        query: Optional[t.ListReversalsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.ReversalPage:
        """List reversals."""
        return self._call("list_reversals", None, query, timeout)

    def get_dispute(self, id: str, *, timeout: Optional[float] = None) -> t.Dispute:
        """Get a dispute."""
        return self._call("get_dispute", id, None, timeout)

    def get_reversal(self, id: str, *, timeout: Optional[float] = None) -> t.Reversal:
        """Get a reversal."""
        return self._call("get_reversal", id, None, timeout)

    def create_sandbox_dispute(
        self,
        id: str,
        body: Optional[t.CreateSandboxDisputeInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Dispute:
        """Open or change a dispute in the sandbox."""
        return self._call("create_sandbox_dispute", id, body, timeout)

    def create_sandbox_reversal(
        self,
        id: str,
        body: Optional[t.CreateSandboxReversalInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Reversal:
        """Reverse a refund or a bank debit in the sandbox."""
        return self._call("create_sandbox_reversal", id, body, timeout)

    def list_schedules(
        self,
        query: Optional[t.ListSchedulesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.ScheduledInvoicePage:
        """List scheduled invoices."""
        return self._call("list_schedules", None, query, timeout)

    def create_schedule(
        self,
        body: t.CreateScheduleInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.ScheduledInvoice:
        """Create a scheduled invoice."""
        return self._call("create_schedule", None, body, timeout, idempotency_key)

    def get_schedule(self, id: str, *, timeout: Optional[float] = None) -> t.ScheduledInvoice:
        """Get a scheduled invoice."""
        return self._call("get_schedule", id, None, timeout)

    def update_schedule(
        self,
        id: str,
        body: Optional[t.UpdateScheduleInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.ScheduledInvoice:
        """Change, pause or resume a scheduled invoice."""
        return self._call("update_schedule", id, body, timeout)

    def delete_schedule(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ScheduledInvoice:
        """Delete a scheduled invoice."""
        return self._call("delete_schedule", id, None, timeout)

    def list_invoices(
        self,
        query: Optional[t.ListInvoicesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.InvoicePage:
        """List invoices."""
        return self._call("list_invoices", None, query, timeout)

    def create_invoice(
        self,
        body: t.CreateInvoiceInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Invoice:
        """Create an invoice."""
        return self._call("create_invoice", None, body, timeout, idempotency_key)

    def get_invoice(self, id: str, *, timeout: Optional[float] = None) -> t.Invoice:
        """Get an invoice."""
        return self._call("get_invoice", id, None, timeout)

    def update_invoice(
        self,
        id: str,
        body: Optional[t.UpdateInvoiceInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Invoice:
        """Change an invoice."""
        return self._call("update_invoice", id, body, timeout)

    def delete_invoice(self, id: str, *, timeout: Optional[float] = None) -> t.Invoice:
        """Delete an invoice."""
        return self._call("delete_invoice", id, None, timeout)

    def pay_invoice(
        self,
        id: str,
        body: Optional[t.PayInvoiceInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> t.Transaction:
        """Pay an invoice."""
        return self._call("pay_invoice", id, body, timeout, idempotency_key, respond_async)

    def pay_invoice_in_cash(
        self,
        id: str,
        body: Optional[t.PayInvoiceInCashInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """Record that an invoice was paid in cash."""
        return self._call("pay_invoice_in_cash", id, body, timeout, idempotency_key)

    def pay_invoice_by_check(
        self,
        id: str,
        body: Optional[t.PayInvoiceByCheckInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """Record that an invoice was paid by check."""
        return self._call("pay_invoice_by_check", id, body, timeout, idempotency_key)

    def put_email_invoice(
        self,
        id: str,
        body: Optional[t.PutEmailInvoiceInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Invoice:
        """E-mail an invoice, as by POST."""
        return self._call("put_email_invoice", id, body, timeout, idempotency_key)

    def email_invoice(
        self,
        id: str,
        body: Optional[t.EmailInvoiceInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Invoice:
        """E-mail an invoice."""
        return self._call("email_invoice", id, body, timeout, idempotency_key)

    def put_sms_invoice(
        self,
        id: str,
        body: Optional[t.PutSmsInvoiceInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Invoice:
        """Text an invoice, as by POST."""
        return self._call("put_sms_invoice", id, body, timeout, idempotency_key)

    def text_invoice(
        self,
        id: str,
        body: Optional[t.TextInvoiceInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Invoice:
        """Text an invoice."""
        return self._call("text_invoice", id, body, timeout, idempotency_key)

    def list_items(
        self,
        query: Optional[t.ListItemsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.ItemPage:
        """List items."""
        return self._call("list_items", None, query, timeout)

    def create_item(
        self,
        body: t.CreateItemInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Item:
        """Create an item."""
        return self._call("create_item", None, body, timeout, idempotency_key)

    def get_item(self, id: str, *, timeout: Optional[float] = None) -> t.Item:
        """Get an item."""
        return self._call("get_item", id, None, timeout)

    def update_item(
        self,
        id: str,
        body: Optional[t.UpdateItemInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Item:
        """Change an item."""
        return self._call("update_item", id, body, timeout)

    def delete_item(self, id: str, *, timeout: Optional[float] = None) -> t.Item:
        """Delete an item."""
        return self._call("delete_item", id, None, timeout)

    def list_events(
        self,
        query: Optional[t.ListEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.EventPage:
        """List events."""
        return self._call("list_events", None, query, timeout)

    def list_webhooks(
        self,
        query: Optional[t.ListWebhooksQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.WebhookPage:
        """List webhooks."""
        return self._call("list_webhooks", None, query, timeout)

    def create_webhook(
        self,
        body: t.CreateWebhookInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.WebhookWithSecret:
        """Create a webhook."""
        return self._call("create_webhook", None, body, timeout, idempotency_key)

    def get_webhook(self, id: str, *, timeout: Optional[float] = None) -> t.Webhook:
        """Get a webhook."""
        return self._call("get_webhook", id, None, timeout)

    def update_webhook(
        self,
        id: str,
        body: Optional[t.UpdateWebhookInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Webhook:
        """Change, disable or enable a webhook."""
        return self._call("update_webhook", id, body, timeout)

    def delete_webhook(self, id: str, *, timeout: Optional[float] = None) -> t.Webhook:
        """Delete a webhook."""
        return self._call("delete_webhook", id, None, timeout)

    def roll_webhook_secret(
        self,
        id: str,
        body: Optional[t.RollWebhookSecretInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.WebhookWithSecret:
        """Roll a webhook's secret."""
        return self._call("roll_webhook_secret", id, body, timeout)

    def list_webhook_deliveries(
        self,
        id: str,
        query: Optional[t.ListWebhookDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.WebhookDeliveryPage:
        """List the deliveries of a webhook."""
        return self._call("list_webhook_deliveries", id, query, timeout)

    def test_webhook(
        self,
        id: str,
        body: Optional[t.TestWebhookInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.WebhookDelivery:
        """Test a webhook."""
        return self._call("test_webhook", id, body, timeout, idempotency_key)

    def replay_webhook(
        self,
        id: str,
        body: t.ReplayWebhookInput,
        *,
        timeout: Optional[float] = None,
    ) -> t.Webhook:
        """Replay events to a webhook."""
        return self._call("replay_webhook", id, body, timeout)

    def create_payment_link(
        self,
        body: t.CreatePaymentLinkInput,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.PaymentLink:
        """Create a payment link."""
        return self._call("create_payment_link", None, body, timeout, idempotency_key)

    def get_payment_link(self, id: str, *, timeout: Optional[float] = None) -> t.PaymentLink:
        """Get a payment link."""
        return self._call("get_payment_link", id, None, timeout)

    def update_payment_link(
        self,
        id: str,
        body: Optional[t.UpdatePaymentLinkInput] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.PaymentLink:
        """Change a payment link."""
        return self._call("update_payment_link", id, body, timeout)

    def delete_payment_link(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.DeletePaymentLinkAnswer:
        """Delete a payment link."""
        return self._call("delete_payment_link", id, None, timeout)

    def list_payment_links(
        self,
        query: Optional[t.ListPaymentLinksQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.PaymentLinkPage:
        """List payment links."""
        return self._call("list_payment_links", None, query, timeout)

    def query_payment_links(
        self,
        body: Optional[t.QueryPaymentLinksInput] = None,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.QueryPaymentLinksAnswer:
        """Query payment links, or create one."""
        return self._call("query_payment_links", None, body, timeout, idempotency_key)

    def get_payment_link_qr_code(self, id: str, *, timeout: Optional[float] = None) -> str:
        """A QR code of a payment link's page."""
        return self._call("get_payment_link_qr_code", id, None, timeout)

    def get_sandbox_clock(self, *, timeout: Optional[float] = None) -> t.SandboxClock:
        """Get the current time of the account."""
        return self._call("get_sandbox_clock", None, None, timeout)

    def set_sandbox_clock(
        self,
        body: t.SetSandboxClockInput,
        *,
        timeout: Optional[float] = None,
    ) -> t.SandboxClock:
        """Set or advance the clock of a sandbox account."""
        return self._call("set_sandbox_clock", None, body, timeout)

    def delete_sandbox_clock(self, *, timeout: Optional[float] = None) -> t.SandboxClock:
        """Return a sandbox account to real time."""
        return self._call("delete_sandbox_clock", None, None, timeout)

    @overload
    def each(
        self,
        name: Literal["list_customers"],
        query: Optional[t.ListCustomersQuery] = None,
        /,
    ) -> Iterator[t.Customer]: ...

    @overload
    def each(
        self,
        name: Literal["list_payment_methods"],
        query: Optional[t.ListPaymentMethodsQuery] = None,
        /,
    ) -> Iterator[t.PaymentMethod]: ...

    @overload
    def each(
        self,
        name: Literal["list_transactions"],
        query: Optional[t.ListTransactionsQuery] = None,
        /,
    ) -> Iterator[t.Transaction]: ...

    @overload
    def each(
        self,
        name: Literal["list_batches"],
        query: Optional[t.ListBatchesQuery] = None,
        /,
    ) -> Iterator[t.Batch]: ...

    @overload
    def each(
        self,
        name: Literal["list_batch_transactions"],
        id: str,
        query: Optional[t.ListBatchTransactionsQuery] = None,
        /,
    ) -> Iterator[t.Transaction]: ...

    @overload
    def each(
        self,
        name: Literal["list_deposits"],
        query: Optional[t.ListDepositsQuery] = None,
        /,
    ) -> Iterator[t.Deposit]: ...

    @overload
    def each(
        self,
        name: Literal["list_deposit_transactions"],
        query: Optional[t.ListDepositTransactionsQuery] = None,
        /,
    ) -> Iterator[t.DepositTransaction]: ...

    @overload
    def each(
        self,
        name: Literal["list_disputes"],
        query: Optional[t.ListDisputesQuery] = None,
        /,
    ) -> Iterator[t.Dispute]: ...

    @overload
    def each(
        self,
        name: Literal["list_reversals"],
        query: Optional[t.ListReversalsQuery] = None,
        /,
    ) -> Iterator[t.Reversal]: ...

    @overload
    def each(
        self,
        name: Literal["list_schedules"],
        query: Optional[t.ListSchedulesQuery] = None,
        /,
    ) -> Iterator[t.ScheduledInvoice]: ...

    @overload
    def each(
        self,
        name: Literal["list_invoices"],
        query: Optional[t.ListInvoicesQuery] = None,
        /,
    ) -> Iterator[t.Invoice]: ...

    @overload
    def each(
        self,
        name: Literal["list_items"],
        query: Optional[t.ListItemsQuery] = None,
        /,
    ) -> Iterator[t.Item]: ...

    @overload
    def each(
        self,
        name: Literal["list_events"],
        query: Optional[t.ListEventsQuery] = None,
        /,
    ) -> Iterator[t.Event]: ...

    @overload
    def each(
        self,
        name: Literal["list_webhooks"],
        query: Optional[t.ListWebhooksQuery] = None,
        /,
    ) -> Iterator[t.Webhook]: ...

    @overload
    def each(
        self,
        name: Literal["list_webhook_deliveries"],
        id: str,
        query: Optional[t.ListWebhookDeliveriesQuery] = None,
        /,
    ) -> Iterator[t.WebhookDelivery]: ...

    @overload
    def each(
        self,
        name: Literal["list_payment_links"],
        query: Optional[t.ListPaymentLinksQuery] = None,
        /,
    ) -> Iterator[t.PaymentLink]: ...

    def each(self, name: str, *args: Any) -> Iterator[Any]:
        """Every row of a list, page by page: for one in client.each("list_events")."""
        return self._each(name, args)

    def csv(
        self,
        name: Literal["list_transactions", "list_batches", "list_batch_transactions", "list_deposits", "list_deposit_transactions"],
        *args: Any,
    ) -> str:
        """A whole list as CSV."""
        return self._csv(name, args)
