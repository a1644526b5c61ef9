// Callbacks of the provider of text messages: the status of messages, and the replies of
// recipients. Only signed requests count. Without a provider these routes do not exist.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/id.ts'
import { handleReply, optOut } from '../../deliveries/opt-outs.ts'
import { type ProviderReport, recordProviderReport } from '../../deliveries/provider-report.ts'
import { FORM_BYTES, type Form, formOf, readForms } from '../../web/forms.ts'
import type { World } from '../../world.ts'
import { limitFailures } from '../limit-requests.ts'
import type { RouteApp } from './route-app.ts'

/** An empty reply: the provider itself answers the recipient. */
const NO_REPLY = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>'

/** Forms are parsed only here, so these routes are a plugin of their own. */
export async function providerRoutes(app: RouteApp, world: World): Promise<void> {
  await app.register(async (own: FastifyInstance) => {
    readForms(own)
    own.addHook('onRequest', async () => {
      if (world.texter.kind !== 'twilio') throw new Refusal('not_found')
    })
    own.addHook('preHandler', (_request, reply) => requireSignature(world, reply))
    const options = { bodyLimit: FORM_BYTES }
    own.post('/provider/twilio/status', options, async (request, reply) => {
      await handleStatus(world, request)
      return reply.code(204).send()
    })
    own.post('/provider/twilio/message', options, async (request, reply) => {
      const { From: from = '', Body: text = '', OptOutType: kind } = formOf(request)
      await handleReply(world, { from, text, kind })
      return reply.type('text/xml').serializer(String).send(NO_REPLY)
    })
  })
}

async function requireSignature(world: World, reply: FastifyReply): Promise<void> {
  const { request } = reply
  const signature = String(request.headers['x-twilio-signature'] ?? '')
  // With the address that the provider was given, whatever address the request arrived at.
  const url = `${world.publicAddress()}${request.url}`
  if (world.texter.isFromProvider(url, formOf(request), signature)) return
  await limitFailures(world, reply)
  request.log.warn('a callback that Twilio did not sign, or not for the address of PUBLIC_URL')
  throw new Refusal('invalid_signature')
}

/** The message may have been deleted, or may not be ours; then nothing happens. */
async function handleStatus(world: World, request: FastifyRequest): Promise<void> {
  const form = formOf(request)
  const { account, delivery } = request.query as Readonly<Record<string, unknown>>
  const { MessageSid: providerId = '' } = form
  const report = reportFrom(form)
  if (report === undefined || !isId(account) || !isId(delivery) || providerId === '') return
  const isNews = await recordProviderReport(world, {
    accountId: account,
    id: delivery,
    providerId,
    report,
  })
  const isOptOut = report.kind === 'failed' && report.reason === 'opted_out'
  if (isOptOut && form.To) await optOut(world, form.To)
  if (!isNews) return
  const { detail } = { detail: undefined, ...report }
  request.log.info(
    { job: 'sms', account_id: account, id: delivery, answer: report.kind, detail },
    `sms ${report.kind}`,
  )
}

const UNSUBSCRIBED = '21610'

function reportFrom({
  MessageStatus: status = '',
  ErrorCode: code = '',
}: Form): ProviderReport | undefined {
  switch (status) {
    case 'queued':
    case 'sending':
    case 'sent':
      return { kind: 'taken' }
    case 'delivered':
      return { kind: 'delivered' }
    case 'failed':
    case 'undelivered':
    case 'canceled':
      return {
        kind: 'failed',
        reason: code === UNSUBSCRIBED ? 'opted_out' : 'undelivered',
        detail: `Twilio says ${status}${/^\d+$/.test(code) ? `, code ${code}` : ''}`,
      }
  }
  return undefined
}
