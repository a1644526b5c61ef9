// The form that requests a receipt. It needs no script.

interface ReceiptFormProps {
  /** The path of the payment's page. */
  readonly path: string
  readonly isOnItsWay: boolean
}

export function ReceiptForm({ path, isOnItsWay }: ReceiptFormProps) {
  const form = (
    <form class="line" method="post" action={`${path}/receipt`}>
      <label htmlFor="receipt-email">E-mail</label>
      <div class="row">
        <input
          id="receipt-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={320}
          required
        />
        <button type="submit" class="plain">
          Send receipt
        </button>
      </div>
    </form>
  )
  if (!isOnItsWay) return form
  return (
    <details>
      <summary>Send it to another address</summary>
      {form}
    </details>
  )
}
