// The look of an account on the console: the settings, the refusals, the audit entry, and one
// look for each account of a team.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignedIn, see, sendFile, sendForm, signIn } from '../support/operator.ts'
import { newPerson, sessionOf } from '../support/persons.ts'
import { jpegOf, pngOf } from '../support/pictures.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

describe('the look of an account', () => {
  let service: TestService
  let operator: SignedIn
  let merchant: Merchant
  let path: string

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    operator = await signIn(service.world)
  })
  afterAll(() => service.close())

  async function newTeam(): Promise<void> {
    merchant = await service.merchant()
    path = `/admin/teams/${merchant.teamId}`
  }

  const plain = { live_language: 'en' }

  const send = (fields: Readonly<Record<string, string>>, bytes: Buffer = Buffer.alloc(0)) =>
    sendFile(service.app, `${path}/live-look`, operator, fields, {
      field: 'live_logo',
      name: 'logo.svg',
      bytes,
    })

  const page = async () => (await see(service.app, path, operator)).body

  const audit = () =>
    service.world.db.query('SELECT detail FROM deed WHERE subject = $1 ORDER BY id', [
      merchant.teamId,
    ])

  const rows = () =>
    service.world.db.query(
      `SELECT a.mode, a.language, a.colour, a.support_email, a.support_phone, a.website, g.width
       FROM account a LEFT JOIN account_logo g ON g.account_id = a.id
       WHERE a.team_id = $1 ORDER BY a.mode`,
      [merchant.teamId],
    )

  const NONE = {
    language: 'en',
    colour: null,
    support_email: null,
    support_phone: null,
    website: null,
    width: null,
  }

  it('is set as a whole, for one account alone, with an audit entry', async () => {
    await newTeam()
    const answer = await send(
      {
        live_language: 'fr',
        live_colour: '#0B5FFF',
        live_support_email: 'help@shop.example',
        live_support_phone: '+1 212 555 0100',
        live_website: 'https://shop.example',
      },
      pngOf(),
    )
    expect(answer.statusCode).toBe(303)
    expect(await rows()).toEqual([
      { mode: 'sandbox', ...NONE },
      {
        mode: 'live',
        language: 'fr',
        colour: '#0b5fff',
        support_email: 'help@shop.example',
        support_phone: '+1 212 555 0100',
        website: 'https://shop.example',
        width: 320,
      },
    ])
    expect(await audit()).toEqual([
      {
        detail: {
          live_language: 'en → fr',
          live_colour: 'none → #0b5fff',
          live_support_email: 'none → help@shop.example',
          live_support_phone: 'none → +1 212 555 0100',
          live_website: 'none → https://shop.example',
          live_logo: 'none → PNG, 320 × 96',
        },
      },
    ])
    const shown = await page()
    expect(shown).toContain('href="/look/0b5fff.')
    expect(shown).toMatch(/<img src="\/look\/[0-9a-f]{32}\.png" alt width="160" height="48"/)
  })

  it('keeps its logo when no file is chosen, takes another, and can remove it', async () => {
    await newTeam()
    await send(plain, pngOf())
    expect((await send({ ...plain, live_colour: '#123456' })).statusCode).toBe(303)
    await send(plain, jpegOf(64, 64))
    await send({ ...plain, live_no_logo: 'on' })
    expect((await rows())[1]).toEqual({ mode: 'live', ...NONE })
    expect(await audit()).toEqual(
      [
        { live_logo: 'none → PNG, 320 × 96' },
        { live_colour: 'none → #123456' },
        { live_colour: '#123456 → none', live_logo: 'PNG, 320 × 96 → JPEG, 64 × 64' },
        { live_logo: 'JPEG, 64 × 64 → none' },
      ].map((detail) => ({ detail })),
    )
  })

  it('takes another logo of the same size', async () => {
    await newTeam()
    await send(plain, pngOf(64, 64, 10))
    await send(plain, pngOf(64, 64, 200))
    const [logo] = await service.world.db.query(
      'SELECT bytes FROM account_logo g JOIN account a ON a.id = g.account_id WHERE a.team_id = $1',
      [merchant.teamId],
    )
    expect(logo?.bytes).toEqual(pngOf(64, 64, 200))
  })

  it('sent again without a change changes nothing', async () => {
    await newTeam()
    await send(plain, pngOf())
    await send(plain, pngOf())
    expect(await audit()).toHaveLength(1)
  })

  it.each([
    ['live_colour', 'blue', 'A colour is #'],
    ['live_colour', '#12345', 'A colour is #'],
    ['live_language', 'de', 'The language of payers'],
    ['live_support_email', 'two@a.example, b@c.example', 'An address that payers may write to'],
    ['live_support_phone', 'call us', 'A number that payers may call'],
    ['live_website', 'javascript:alert(1)', 'An address that begins with https'],
    ['live_website', 'https://shop.example@evil.example', 'An address that begins with https'],
    ['live_website', 'shop.example', 'An address that begins with https'],
    ['live_website', `https://shop.example/${'x'.repeat(200)}`, 'An address that begins'],
  ])('with %s %j is refused as a whole, and the typed values stay', async (name, value, fault) => {
    await newTeam()
    const { statusCode, body } = await send(
      { ...plain, live_colour: '#abcdef', [name]: value },
      pngOf(),
    )
    expect([statusCode, body.includes(fault)]).toEqual([422, true])
    expect(body.includes(`value="${value}"`)).toBe(name !== 'live_language')
    expect(await rows()).toEqual([
      { mode: 'sandbox', ...NONE },
      { mode: 'live', ...NONE },
    ])
    expect(await audit()).toEqual([])
  })

  it.each([
    ['an SVG', Buffer.from('<svg onload="alert(1)"/>')],
    ['too large', Buffer.alloc(200_000, 1)],
    ['much too large', Buffer.alloc(3_000_000, 1)],
    ['too wide', pngOf(2000, 20)],
  ])('refuses a logo that is %s, whatever its name and type claim', async (_what, bytes) => {
    await newTeam()
    const { statusCode, body } = await send(plain, bytes)
    expect([statusCode, body.includes('A PNG or JPEG picture of at most 64 kB')]).toEqual([
      422,
      true,
    ])
    expect(await audit()).toEqual([])
  })

  it('is refused from a form of another session or site, or from an unreadable one', async () => {
    await newTeam()
    const fields = { ...plain, _form: 'forged' }
    expect((await send(fields, pngOf())).statusCode).toBe(403)
    const broken = (payload: string, type = 'multipart/form-data; boundary=x') =>
      service.app.inject({
        method: 'POST',
        url: `${path}/live-look`,
        headers: { cookie: operator.cookie, accept: 'text/html', 'content-type': type },
        payload,
      })
    const many = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`.repeat(50)
    const answers = [
      await broken(`${many}--x--\r\n`),
      await broken('--x\r\nnothing'),
      await broken('', 'multipart/form-data'),
      await broken('--x\r\nnothing\r\n--x--\r\n'),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400])
    const stranger = { cookie: 'none=1', formToken: operator.formToken }
    const file = { field: 'live_logo', name: 'a.png', bytes: pngOf() }
    const refused = await sendFile(service.app, `${path}/live-look`, stranger, plain, file)
    expect(refused.body).toContain('Sign in')
    expect(await audit()).toEqual([])
  })

  it('is refused without reading a form that would take long', async () => {
    await newTeam()
    const ask = (payload: string, boundary = 'x', { cookie } = operator) =>
      service.app.inject({
        method: 'POST',
        url: `${path}/live-look`,
        headers: {
          cookie,
          accept: 'text/html',
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        payload,
      })
    const head = '--x\r\ncontent-disposition: form-data; name="a"'
    const costly: readonly (readonly [string, string?])[] = [
      [`${head}\r\n${'a: b\r\n'.repeat(600_000)}\r\nx\r\n--x--\r\n`],
      [`${head}\r\n${'a: b\r\n'.repeat(600_000)}`],
      [
        `--x\r\ncontent-disposition: form-data; name="${'%0D%0A'.repeat(600_000)}"\r\n\r\nx\r\n--x--\r\n`,
      ],
      ['x', `a${' '.repeat(14_000)}"b`],
    ]
    for (const [payload, boundary] of costly) {
      const began = process.cpuUsage()
      expect((await ask(payload, boundary)).statusCode).toBe(400)
      const { user, system } = process.cpuUsage(began)
      expect((user + system) / 1_000).toBeLessThan(150)
    }
    const viewer = await sessionOf(service.world, await newPerson(service.world, 'view'))
    expect((await ask(costly[0]?.[0] ?? '', 'x', viewer)).statusCode).toBe(403)
  })

  it('shows typed markup as text', async () => {
    await newTeam()
    const { body } = await send({ ...plain, live_website: '"><script>alert(1)</script>' })
    expect(body).not.toContain('<script>alert')
    const form = { sandbox_language: 'es' }
    const { statusCode } = await sendForm(service.app, `${path}/sandbox-look`, operator, form)
    expect(statusCode).toBe(303)
    expect((await rows())[0]).toMatchObject({ language: 'es' })
  })
})
