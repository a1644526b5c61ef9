// Which servers get a mail: certificates and passwords, and the answers if they are wrong.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { smtpMailer } from '../../../src/outside/mail/smtp.ts'
import { aMail, inTime, SENDER } from '../../support/mail.ts'
import type { SmtpSinkOptions } from '../../support/smtp-answers.ts'
import { openSmtpSink } from '../../support/smtp-sink.ts'

const PASSWORD = 'p@ss/w:rd?'

async function sendTo(options: SmtpSinkOptions, change: (url: URL, certificate: string) => void) {
  await using sink = await openSmtpSink(options)
  const url = new URL(sink.url)
  change(url, sink.certificate)
  const mailer = smtpMailer({ url: url.href, from: SENDER })
  const answer = await mailer.send(aMail(), inTime())
  await mailer.close()
  const { received, askedFor, connections } = sink
  return { answer, received, askedFor, connections }
}

const trusting = (url: URL, certificate: string) => url.searchParams.set('tls.ca', certificate)
const asItComes = () => {}

describe.each(['starttls', 'implicit'] as const)('a server with TLS (%s)', (tls) => {
  it('gets mail if its certificate is trusted', async () => {
    const { answer, received } = await sendTo({ tls }, trusting)
    expect(answer).toMatchObject({ kind: 'taken' })
    expect(received).toMatchObject([{ isSecure: true, to: ['ada@example.com'] }])
  })

  it('gets nothing if its certificate is not trusted', async () => {
    const { answer, askedFor, connections } = await sendTo({ tls }, asItComes)
    expect(answer).toMatchObject({
      kind: 'away',
      detail: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    })
    expect({ askedFor, isMet: connections > 0 || tls === 'implicit' }).toEqual({
      askedFor: [],
      isMet: true,
    })
  })

  it('is trusted all the same if the URL says so', async () => {
    const { answer } = await sendTo({ tls }, (url) => {
      url.searchParams.set('tls.rejectUnauthorized', 'false')
    })
    expect(answer).toMatchObject({ kind: 'taken' })
  })
})

it('a server without TLS gets nothing if the URL requires it', async () => {
  const { answer, askedFor } = await sendTo({}, (url) => url.searchParams.set('requireTLS', 'true'))
  expect(answer).toMatchObject({ kind: 'away' })
  expect(askedFor).toEqual([])
})

it('a server gets our name if the URL has one', async () => {
  const { received } = await sendTo({}, (url) => url.searchParams.set('name', 'pay.shop.example'))
  expect(received).toMatchObject([{ hello: 'pay.shop.example' }])
})

it('authorities in a file make a server trusted, as soon as the file can be read', async () => {
  await using sink = await openSmtpSink({ tls: 'starttls' })
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter ca '))
  const caFile = join(folder, 'ca.pem')
  const mailer = smtpMailer({ url: `${sink.url}?requireTLS=true`, from: SENDER, caFile })
  expect(await mailer.send(aMail(), inTime())).toEqual({
    kind: 'away',
    detail: 'the server could not be asked (ENOENT)',
  })
  await writeFile(caFile, sink.certificate)
  expect(await mailer.send(aMail(), inTime())).toMatchObject({ kind: 'taken' })
  await mailer.close()
  await rm(folder, { recursive: true })
})

it('a server without TLS is away for an implicit connection', async () => {
  const { answer, askedFor } = await sendTo({}, (url) => {
    url.href = url.href.replace('smtp:', 'smtps:')
  })
  expect(answer).toMatchObject({ kind: 'away' })
  expect(askedFor).toEqual([])
})

describe('a server that requires a password', () => {
  const auth = { user: 'shop', password: PASSWORD }

  it('gets it, with special characters', async () => {
    const { answer } = await sendTo({ auth, tls: 'implicit' }, trusting)
    expect(answer).toMatchObject({ kind: 'taken' })
  })

  it('and refuses ours is away, and the log does not show the password', async () => {
    const { answer, askedFor } = await sendTo({ auth }, (url) => {
      url.password = encodeURIComponent('another-p@ss')
    })
    expect(answer).toEqual({ kind: 'away', detail: 'the server says: 535 5.7.8' })
    expect(askedFor).toEqual([])
  })

  it('and gets none is away', async () => {
    const { answer } = await sendTo({ auth }, (url) => {
      url.username = ''
      url.password = ''
    })
    expect(answer).toMatchObject({ kind: 'away', detail: expect.stringContaining('530') })
  })

  it('and repeats it is quoted without it', async () => {
    await using sink = await openSmtpSink({ auth })
    const base64 = Buffer.from(PASSWORD).toString('base64')
    sink.faults.recipient = { code: 550, text: `5.1.1 no, ${PASSWORD} of shop, ${base64}` }
    const mailer = smtpMailer({ url: sink.url, from: SENDER })
    const answer = await mailer.send(aMail(), inTime())
    await mailer.close()
    const said = 'the server says: 550 5.1.1 no, *** of ***, ***'
    expect(answer).toMatchObject({ kind: 'refused', reason: 'refused', detail: said })
  })
})
