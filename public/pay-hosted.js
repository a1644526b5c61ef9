// The fields of the payment gateway on payers' pages of live accounts. The gateway's script puts
// them into the page and gives a token for what is typed there: our own script cannot read it.

{
  const { account, key, script, texts = '{}' } = document.querySelector('main').dataset
  /** What is said about the gateway's fields, in the language of the page. */
  const words = JSON.parse(texts)
  const locale = document.documentElement.lang

  const load = () =>
    new Promise((resolve, reject) => {
      const element = document.createElement('script')
      element.src = script
      element.onload = resolve
      element.onerror = () => reject(new Error('the script of the gateway was not loaded'))
      document.head.append(element)
    })

  const openAt = async (stripeAccount) => {
    await load()
    return window.Stripe(key, stripeAccount == null ? { locale } : { locale, stripeAccount })
  }

  let opened
  const open = () => {
    opened ??= openAt(account)
    return opened
  }

  /** The fields need an amount before the payer has entered one. */
  const centsOf = (decimal) => (decimal === undefined ? 100 : Math.round(Number(decimal) * 100))

  let elements

  const stepOf = async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const asked = { method: 'POST', headers, body: '{}' }
    const answer = await fetch(`${location.pathname}/step`, asked)
    return answer.ok ? answer.json() : { kind: 'none' }
  }

  /** While the bank asks the payer, the page does not say that the bank has not answered. */
  const showAsking = (isAsking) => {
    const [...lines] = document.getElementById('waiting')?.children ?? []
    for (const line of lines) line.hidden = isAsking === (line.id !== 'asking')
  }

  /** Either the bank's question is open again, or the payer has only to wait. */
  const showQuestion = (isAsked) => {
    document.getElementById('asked').hidden = !isAsked
    const waiting = document.getElementById('waiting')
    if (waiting !== null) waiting.hidden = isAsked
  }

  const sayOnPage = (words) => {
    document.getElementById('said').textContent = words
    showQuestion(true)
  }

  window.hosted = {
    /** Fails if the gateway's script or its fields cannot be loaded. */
    async mount(place, { amount, currency }) {
      const gateway = await open()
      elements = gateway.elements({
        mode: 'payment',
        amount: centsOf(amount),
        currency: currency.toLowerCase(),
        appearance: {
          theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe',
        },
        paymentMethodTypes: ['card', 'us_bank_account'],
        // Otherwise an account may need small deposits first, which take days.
        paymentMethodOptions: { us_bank_account: { verification_method: 'instant' } },
      })
      const fields = elements.create('payment')
      const isReady = new Promise((resolve, reject) => {
        fields.on('ready', resolve)
        fields.on('loaderror', ({ error }) => reject(new Error(error?.message)))
      })
      fields.mount(place)
      await isReady
    },
    setAmount(amount) {
      if (amount !== undefined) elements?.update({ amount: centsOf(amount) })
    },
    /** A token, or words about what is wrong. */
    async token({ name, email }) {
      const { error: incomplete } = await elements.submit()
      if (incomplete !== undefined) return { words: incomplete.message }
      const billing_details = email === '' ? { name } : { name, email }
      const params = { payment_method_data: { billing_details } }
      const gateway = await open()
      const { confirmationToken, error } = await gateway.createConfirmationToken({
        elements,
        params,
      })
      return error === undefined ? { id: confirmationToken.id } : { words: error.message }
    },
    /** Has the payer answer the bank, once. True if there is nothing more to ask about. */
    async answerBank() {
      const { kind, clientSecret, account: where } = await stepOf()
      if (kind !== 'asked') return kind === 'waiting'
      showQuestion(false)
      try {
        const gateway = await openAt(where)
        showAsking(true)
        await gateway.handleNextAction({ clientSecret })
        showAsking(false)
        // This also has the service look at once.
        if ((await stepOf()).kind === 'asked') sayOnPage(words.notConfirmed)
      } catch {
        showAsking(false)
        sayOnPage(words.cannotConfirm)
      }
      document.getElementById('confirm').onclick = () => window.hosted.answerBank()
      return true
    },
  }
}
