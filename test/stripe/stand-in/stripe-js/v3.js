// The script that pages load from the stand-in, with the interface of Stripe's own. Its fields are in
// a shadow tree, where the scripts of the page do not look.

{
  const origin = new URL(document.currentScript.src).origin

  const FIELDS = `
    <style>label { display: block; font: 14px sans-serif; margin: 0 0 8px }
      input { display: block; width: 100%; box-sizing: border-box; font: 16px sans-serif; padding: 8px }
      p { color: #b00020; background: #fff; font: 14px sans-serif; margin: 0 } p:empty { display: none }</style>
    <label>Card or account number <input id="stripe-number" inputmode="numeric" autocomplete="off"></label>
    <label>Expiration <input id="stripe-exp" autocomplete="off" placeholder="MM / YY"></label>
    <label>CVC <input id="stripe-cvc" autocomplete="off"></label>
    <p id="stripe-fault" role="alert"></p>`

  const QUESTION = `
    <p>The bank asks: is this payment yours?</p>
    <button type="button" value="yes">Complete</button>
    <button type="button" value="no">Fail</button>
    <button type="button" value="">Close</button>`

  window.Stripe = (key, { stripeAccount } = {}) => {
    async function send(path, fields) {
      const about = stripeAccount === undefined ? { key } : { key, account: stripeAccount }
      const body = new URLSearchParams({ ...about, ...fields })
      return (await fetch(`${origin}/v3/${path}`, { method: 'POST', body })).json()
    }

    function elements({ mode, ...settings }) {
      if (mode !== 'payment' || !Number.isInteger(settings.amount) || settings.amount <= 0) {
        throw new Error('In deferred mode, elements need a mode, and an amount in cents')
      }
      let options = settings
      let root
      const heard = {}
      const at = (id) => root.getElementById(`stripe-${id}`)
      return {
        /** The fields of the stand-in alone, for createConfirmationToken. */
        at,
        get amount() {
          return options.amount
        },
        get verification() {
          return options.paymentMethodOptions?.us_bank_account?.verification_method ?? 'automatic'
        },
        update(changed) {
          options = { ...options, ...changed }
          if (root !== undefined) root.host.dataset.amount = options.amount
        },
        create: () => ({
          on(event, hear) {
            heard[event] = hear
          },
          mount(place) {
            const host = document.createElement('div')
            host.dataset.amount = options.amount
            root = host.attachShadow({ mode: 'open' })
            root.innerHTML = FIELDS
            root.addEventListener('input', () => heard.change?.({ complete: false }))
            document.querySelector(place).replaceChildren(host)
            setTimeout(() => heard.ready?.({ elementType: 'payment' }))
          },
        }),
        async submit() {
          const isEmpty = at('number').value.trim() === ''
          const message = 'Your card number is incomplete.'
          at('fault').textContent = isEmpty ? message : ''
          return isEmpty ? { error: { type: 'validation_error', message } } : {}
        },
      }
    }

    async function createConfirmationToken({ elements: fields }) {
      const made = await send('confirmation_tokens', {
        number: fields.at('number').value,
        verification_method: fields.verification,
      })
      if (made.error !== undefined) {
        fields.at('fault').textContent = made.error.message
        return { error: made.error }
      }
      return { confirmationToken: made }
    }

    function handleNextAction({ clientSecret }) {
      const dialog = document.createElement('dialog')
      dialog.innerHTML = QUESTION
      document.body.append(dialog)
      dialog.showModal()
      return new Promise((resolve) => {
        dialog.addEventListener('click', async ({ target }) => {
          if (target.tagName !== 'BUTTON') return
          dialog.remove()
          const paymentIntent = await send('answers', {
            client_secret: clientSecret,
            answer: target.value,
          })
          const isDone = paymentIntent.status === 'succeeded'
          resolve(isDone ? { paymentIntent } : { error: { message: 'Not authenticated.' } })
        })
      })
    }

    return { elements, createConfirmationToken, handleNextAction }
  }
}
