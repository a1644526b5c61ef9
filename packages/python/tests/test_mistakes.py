"""Mistakes in a call are refused before anything is sent: the client has no service to reach."""

import time
import unittest

from lamplighter import Client, ConnectionError, verify_webhook

client = Client(url="http://127.0.0.1:9", key="none", max_retries=0)
WEBHOOK = {
    "webhook-id": "one",
    "webhook-timestamp": str(int(time.time())),
    "webhook-signature": "v1,eA==",
}


class MistakesTest(unittest.TestCase):
    def refused(self, says, call, *args, **options):
        with self.assertRaisesRegex(ValueError, says):
            call(*args, **options)

    def test_a_filter_that_would_send_nothing(self):
        says = "^list_transactions got no value for customer_id: leave it out, or give a value$"
        for nothing in [None, "", [], (), [None], ["tea", ""]]:
            query = {"status": "SUCCESS", "customer_id": nothing}
            self.refused(says, client.list_transactions, query)
            self.refused(says, client.csv, "list_transactions", query)
            self.refused(says, lambda: list(client.each("list_transactions", query)))
        for name in ["page", "limit", "per_page"]:
            self.refused(name, lambda: list(client.each("list_events", {name: None})))

    def test_a_field_that_the_operation_does_not_have(self):
        for call, body, says in [
            ("create_charge", {"preauth": True}, "preauth: did you mean pre_auth\\?"),
            ("create_charge", {"idempotency_key": "1"}, "idempotency_key: did you mean idempotency_id"),
            ("create_charge", {"amount": None}, "amount: it has total, payment_method_id, meta, "),
            ("create_payment_link", {"amout": 5}, "amout: did you mean amount"),
            ("create_schedule", {"time_zone": "UTC"}, "time_zone: did you mean timezone"),
            ("query_payment_links", {"linkMeta": {}}, "linkMeta: did you mean link_meta"),
        ]:
            self.refused(f"^{call} has no field {says}", getattr(client, call), body)
        self.refused("no field tip: it has amount, total", client.refund_transaction, "one", {"tip": 1})

    def test_a_client_without_a_key(self):
        says = "^Client needs a key, such as sk_sandbox_…$"
        for key in ["", " ", None, b"sk_sandbox_x", "sk_sandbox_x y", "sk_sandbox_x\ny", "sk_✓"]:
            self.refused(says, Client, key=key, url="http://x")
        self.refused("url must be an http or https address", Client, key="none", url=None)

    def test_a_key_that_was_read_with_the_end_of_its_line(self):
        with self.assertRaises(ConnectionError) as caught:
            Client(url="http://127.0.0.1:9", key="sk_sandbox_x\n", max_retries=0).get_self()
        self.assertNotIn("sk_sandbox_x", str(caught.exception))

    def test_an_amount_that_was_lost_would_be_all_of_it(self):
        for call, field in [
            ("void_transaction", "amount"),
            ("refund_transaction", "amount"),
            ("void_or_refund_transaction", "total"),
            ("capture_transaction", "amount"),
            ("pay_invoice", "apply_balance"),
        ]:
            says = f"^{call} got no value for {field}: leave it out, or give a value$"
            self.refused(says, getattr(client, call), "one", {field: None})

    def test_a_list_that_does_not_exist(self):
        for walk in [client.each, client.csv]:
            self.refused("has no list list_invoice: did you mean list_invoices", walk, "list_invoice")
            self.refused("has no list get_self: it has list_customers, ", walk, "get_self")
            self.refused("needs a dict as its query", walk, "list_transactions", "one")
            self.refused("needs a dict as its query", walk, "list_transactions", [("status", "")])
        self.refused("needs a dict as its body", client.create_charge, "total=1")

    def test_a_webhook_that_was_parsed_or_has_no_secret(self):
        for body in [{}, None]:
            self.refused("the raw body as it arrived", verify_webhook, body, {}, "whsec_eA==")
        for secrets in [None, "", [], ["whsec_eA==", None]]:
            with self.assertRaises(ValueError):
                verify_webhook(b"{}", WEBHOOK, secrets)

    def test_the_control_would_be_sent(self):
        with self.assertRaises(ConnectionError):
            client.list_transactions({"status": "SUCCESS", "keywords": ["tea"]})


if __name__ == "__main__":
    unittest.main()
