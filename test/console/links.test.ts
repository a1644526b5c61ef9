// Payment links on the console: operators see, make, change and delete them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedMeanwhile } from '../support/changed-meanwhile.ts'
import { FULL_LINK, UNKNOWN_LINK } from '../support/links.ts'
import { type SignedIn, see, seeAfter, seePage, sendForm, signIn } from '../support/operator.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let operator: SignedIn
let merchant: Merchant
let other: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: ['charge'] })
  operator = await signIn(service.world)
  merchant = await service.merchant()
  other = await service.merchant()
})
afterAll(() => service.close())

type Fields = Readonly<Record<string, string>>

const send = (path: string, fields: Fields = {}) => sendForm(service.app, path, operator, fields)

async function newLink(body: object = {}, whose = merchant): Promise<string> {
  const sent = { common_name: 'Coffee', ...body }
  return (await call(service.app, 'POST', '/payment-link', whose.headers, sent)).body.id
}

const page = (path: string) => seePage(service.app, path, operator)

const pathOf = (id: string, whose = merchant) => `/admin/links/${whose.accountId}/${id}`

const ofApi = async (id: string) =>
  (await call(service.app, 'GET', `/query/payment-links/${id}`, merchant.headers)).body

const auditOf = async (id: string) =>
  service.world.db.query('SELECT deed AS action, detail FROM deed WHERE subject = $1 ORDER BY id', [
    id,
  ])

const actionsOf = async (id: string) => (await auditOf(id)).map(({ action }) => action)

describe('the list', () => {
  it('has the links of all teams, by state and team', async () => {
    const active = await newLink({ amount: 12.5 })
    const inactive = await newLink({ active: false })
    const deleted = await newLink()
    const foreign = await newLink({}, other)
    await call(service.app, 'DELETE', `/query/payment-links/${deleted}`, merchant.headers)
    const all = [active, inactive, deleted, foreign]
    const listed = async (query: string) => {
      const { html } = await page(`/admin/links?${query}`)
      return all.map((id) => html.includes(id))
    }
    expect(await listed('')).toEqual([true, true, false, true])
    expect(await listed('state=active')).toEqual([true, false, false, true])
    expect(await listed('state=inactive')).toEqual([false, true, false, false])
    expect(await listed('state=deleted')).toEqual([false, false, true, false])
    expect(await listed(`team=${merchant.teamId}`)).toEqual([true, true, false, false])
    expect(await listed('name=coffee')).toEqual([true, true, false, true])
    expect(await listed('name=tea')).toEqual([false, false, false, false])
    const { text } = await page('/admin/links?state=odd&team=nobody')
    expect(text).toContain('is not one of the choices')
    expect(text).toContain('there is no team nobody')
  })

  it('goes on from page to page by time, although ids have no order', async () => {
    const whose = await service.merchant()
    const made: string[] = []
    for (let n = 0; n < 52; n += 1) made.push(await newLink({ common_name: `L${n}` }, whose))
    const first = await page(`/admin/links?team=${whose.teamId}`)
    expect(first.text).toContain('Showing 50 (more available)')
    expect(first.html.indexOf('L51<')).toBeLessThan(first.html.indexOf('L2<'))
    const [, older = ''] = /href="([^"]+)">Older/.exec(first.html) ?? []
    const { html } = await page(older.replaceAll('&amp;', '&'))
    expect(made.map((id) => html.includes(id)).lastIndexOf(true)).toBe(1)
    expect((await page(`/admin/links?team=${whose.teamId}&before=${UNKNOWN_LINK}`)).text).toContain(
      'L51',
    )
  })
})

describe('a new link', () => {
  const SHOP = 'https://shop.example/'

  const FORM: Fields = { mode: 'sandbox', name: 'Tea', amount: '$1,250.00' }

  const form = (fields: Fields = {}) => ({
    key: service.world.newId(),
    team: merchant.teamId,
    ...FORM,
    ...fields,
  })

  it('is the same as the API makes, and its page shows the address', async () => {
    const settings = { memo: 'Green', redirect: 'https://shop.example/thanks', editable: 'on' }
    const answer = await send('/admin/links/new', form(settings))
    expect(answer.statusCode).toBe(303)
    const id = String(answer.headers.location).split('/').at(-1) ?? ''
    const made = await ofApi(id)
    expect(made).toMatchObject({
      common_name: 'Tea',
      amount: 1250,
      active: true,
      link_meta: {
        memo: 'Green',
        successRedirect: 'https://shop.example/thanks',
        isTotalEditable: true,
      },
    })
    const { first, again } = await seeAfter(service.app, answer, operator)
    expect(first).toContain('The payment link is made.')
    expect(again).not.toContain('The payment link is made.')
    expect(first).toContain(`<code id="address">${made.url}</code>`)
    expect(first).toContain('aria-label="QR code of the address"')
    const [entry] = await auditOf(id)
    expect(entry).toMatchObject({ action: 'payment link made', detail: { name: 'Tea' } })
  })

  it('is made once, however often its form is sent', async () => {
    const sent = form()
    const answers = await Promise.all([1, 2, 3].map(() => send('/admin/links/new', sent)))
    const places = new Set(answers.map(({ headers }) => headers.location))
    expect(places.size).toBe(1)
    const id =
      String([...places][0])
        .split('/')
        .at(-1) ?? ''
    expect(await actionsOf(id)).toEqual(['payment link made'])
    const changed = await send('/admin/links/new', { ...sent, name: 'Mint' })
    expect(changed.statusCode).toBe(409)
    expect(changed.body).toContain('A link was made with this form before.')
    expect(changed.body).toContain('value="Mint"')
  })

  it.each<readonly [Fields, string, string]>([
    [{ name: ' ' }, 'Enter a name.', '$1,250.00'],
    [{ name: 'Card 4111 1111 1111 1111' }, 'number of a card', 'Card 4111 1111 1111 1111'],
    [{ amount: '12,50' }, 'Enter an amount such as 12.50', '12,50'],
    [{ amount: '0' }, 'Enter an amount such as 12.50', 'Tea'],
    [{ name: 'n'.repeat(256) }, 'Use 255 characters at most.', 'n'.repeat(256)],
    [{ redirect: `${SHOP}${'a'.repeat(2_048)}` }, 'Use 2048 characters at most.', 'Tea'],
    [{ redirect: 'javascript:alert(1)' }, 'begins with https://', 'javascript:alert(1)'],
    [{ team: 'nobody' }, 'There is no team nobody.', 'nobody'],
    [{ team: '' }, 'Enter the name or the id of a team.', 'Tea'],
    [{ mode: 'both' }, 'Choose live or sandbox.', 'Tea'],
  ])('is not made of %j, and the typed values stay', async (fields, said, kept) => {
    const before = await service.world.db.prisma.paymentLink.count()
    const answer = await send('/admin/links/new', form(fields))
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain(said)
    expect(answer.body).toContain(`value="${kept}"`)
    expect(await service.world.db.prisma.paymentLink.count()).toBe(before)
  })

  it('needs the token of the session and a complete form', async () => {
    const before = await service.world.db.prisma.paymentLink.count()
    const forged = { ...operator, formToken: 'x' }
    expect((await sendForm(service.app, '/admin/links/new', forged, form())).statusCode).toBe(403)
    expect((await send('/admin/links/new', form({ key: 'x' }))).statusCode).toBe(400)
    expect(await service.world.db.prisma.paymentLink.count()).toBe(before)
  })

  it("has the list's team chosen at first", async () => {
    const { html } = await page(`/admin/links?team=${merchant.teamId}`)
    expect(html).toContain(`href="/admin/links/new?team=${merchant.teamId}"`)
    const form = await page(`/admin/links/new?team=${merchant.teamId}`)
    expect(form.html).toContain(`value="${merchant.teamId}"`)
  })
})

describe('one link', () => {
  const typed = (fields: Fields = {}): Fields => ({
    name: 'Coffee — 250 g',
    amount: '12.50',
    memo: 'A bag of beans from the hills',
    redirect: 'https://shop.example/thanks?a=1',
    ...fields,
  })

  it('shows its payments', async () => {
    const id = await newLink()
    const card = await service.card(merchant)
    const body = { total: 45, payment_method_id: card, payment_link_id: id }
    const charge = (await service.charge(merchant, body)).body.id
    const { html, text } = await page(pathOf(id))
    expect(html).toContain(`href="/admin/transactions/${merchant.accountId}/${charge}"`)
    expect(text).toContain('Payments 1 Received $45.00')
    const story = await page(`/admin/transactions/${merchant.accountId}/${charge}`)
    expect(story.html).toContain(`href="${pathOf(id)}"`)
  })

  it('changes only in the fields where another value was typed', async () => {
    const id = await newLink(FULL_LINK)
    const same = await seeAfter(service.app, await send(`${pathOf(id)}/change`, typed()), operator)
    expect(same.first).toContain('Nothing was changed.')
    expect((await ofApi(id)).link_meta).toEqual(FULL_LINK.link_meta)
    const changed = typed({ amount: '', redirect: '' })
    const { first } = await seeAfter(
      service.app,
      await send(`${pathOf(id)}/change`, changed),
      operator,
    )
    expect(first).toContain('Saved.')
    expect(await ofApi(id)).toMatchObject({
      amount: null,
      link_meta: { ...FULL_LINK.link_meta, successRedirect: null },
      meta: FULL_LINK.meta,
    })
    expect((await auditOf(id)).map(({ action, detail }) => [action, detail.amount])).toEqual([
      ['payment link changed', '12.50 → none'],
    ])
  })

  it('keeps what the API changes while the form is sent', async () => {
    const id = await newLink(FULL_LINK)
    const linkMeta = { ...FULL_LINK.link_meta, memo: 'Of the API' }
    const sql = 'UPDATE payment_link SET link_meta = $2, version = version + 1 WHERE id = $1'
    const answer = await changedMeanwhile(service, { sql, values: [id, linkMeta] }, () =>
      send(`${pathOf(id)}/change`, typed({ redirect: 'https://shop.example/b', version: '1' })),
    )
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toContain('The link has changed since this form was opened.')
    expect(answer.body).toContain('value="https://shop.example/b"')
    expect((await ofApi(id)).link_meta).toEqual(linkMeta)
    expect(await actionsOf(id)).toEqual([])
  })

  it('is not changed by an outdated form', async () => {
    const id = await newLink(FULL_LINK)
    await call(service.app, 'PUT', `/query/payment-links/${id}`, merchant.headers, { amount: 500 })
    const answer = await send(`${pathOf(id)}/change`, typed({ name: 'Tea', version: '1' }))
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toContain('The link has changed since this form was opened.')
    expect(answer.body).toContain('value="Tea"')
    expect(await ofApi(id)).toMatchObject({ amount: 500, common_name: FULL_LINK.common_name })
  })

  it('that cannot be changed in this way stays, and the typed values stay', async () => {
    const id = await newLink(FULL_LINK)
    const answer = await send(`${pathOf(id)}/change`, typed({ name: '', amount: 'much' }))
    expect(answer.statusCode).toBe(422)
    for (const words of ['Enter a name.', 'Enter an amount such as', 'value="much"']) {
      expect(answer.body).toContain(words)
    }
    expect(await ofApi(id)).toMatchObject({ common_name: FULL_LINK.common_name, amount: 12.5 })
    expect(await actionsOf(id)).toEqual([])
  })

  it('is deactivated and activated, once each', async () => {
    const id = await newLink()
    for (const action of ['deactivate', 'deactivate', 'activate', 'activate']) {
      const answer = await send(`${pathOf(id)}/${action}`)
      expect(answer.statusCode).toBe(303)
      expect((await ofApi(id)).active).toBe(action === 'activate')
    }
    expect(await actionsOf(id)).toEqual(['payment link deactivated', 'payment link activated'])
  })

  it('is deleted once, and cannot be changed after that', async () => {
    const id = await newLink()
    for (let n = 0; n < 2; n += 1) {
      const answer = await send(`${pathOf(id)}/delete`)
      const { first } = await seeAfter(service.app, answer, operator)
      expect(first).toContain('The payment link is deleted.')
    }
    await send(`${pathOf(id)}/activate`)
    await send(`${pathOf(id)}/change`, typed())
    expect(await actionsOf(id)).toEqual(['payment link deleted'])
    const { html, text } = await page(pathOf(id))
    expect(text).toContain('State deleted')
    expect(html).not.toContain('Delete link')
    expect(html).not.toContain('id="address"')
  })

  it("shows the merchant's words as text", async () => {
    const id = await newLink({ common_name: '<script>x</script>', link_meta: { memo: '"><img>' } })
    for (const path of [pathOf(id), '/admin/links']) {
      const { html } = await page(path)
      expect(html).toContain('&lt;script>')
      expect(html).not.toMatch(/<script>x|<img>/)
    }
  })

  it('of another account, or unknown, is not found', async () => {
    const id = await newLink()
    const paths = [pathOf(id, other), pathOf(UNKNOWN_LINK), pathOf('x'), `/admin/links/x/${id}`]
    for (const path of paths) {
      expect((await see(service.app, path, operator)).statusCode).toBe(404)
      expect((await send(`${path}/delete`)).statusCode).toBe(404)
    }
    expect((await ofApi(id)).id).toBe(id)
  })
})
