// The API server: checks requests, writes them down, and returns their outcome. It is built apart
// from listening, so that a test needs no port.
//
// What happens to a request with a key, in order. In each phase the hooks run as they are called in
// `addHooks`, and those of the route after them:
//
//   onRequest      id, time limit, trace; then a place, the key, its rate limit, an active team
//   preParsing     the time in which the body arrives is not counted
//   preValidation  an absent body is {}; card data is refused; null fields are dropped
//   validation     by the schema of the route
//   preHandler     NUL is refused, ignored fields are named, a search waits for its turn
//   handler        the route
//   printing       in the dialect of the key; a list is printed row by row
//   onSend         place and turn are given back
//   onResponse     log, metrics, copy for the console; due deliveries are started

import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { consoleRoutes } from '../console/console.ts'
import { SECOND } from '../core/time-units.ts'
import { startDueDeliveries } from '../deliveries/start-due-deliveries.ts'
import { pageRoutes } from '../pages/pages.ts'
import { referenceRoutes } from '../reference/reference.tsx'
import type { SchemaTypes } from '../resource/json-schema.ts'
import { assetRoutes } from '../web/assets.ts'
import { ANSWER_RULES } from '../web/browser-rules.ts'
import type { World } from '../world.ts'
import { admitRequests } from './admit-requests.ts'
import { answerBrokenRequest } from './answer-broken-request.ts'
import { answerErrors, answerFrameworkError } from './answer-errors.ts'
import { answerInTime } from './answer-in-time.ts'
import { drainConnections, LOOKING_FOR_LATE, shareTurns } from './connections.ts'
import { documentApi, documentRoute } from './document-api.ts'
import { dropAbsentFields } from './drop-absent-fields.ts'
import { keepRequests } from './keep-requests.ts'
import { leaveDescriptors } from './leave-descriptors.ts'
import { limitReading } from './limit-reading.ts'
import { nameIgnoredFields } from './name-ignored-fields.ts'
import { logAnswers, measureRequests, traceRequests } from './observe-requests.ts'
import { keepOperatorsApart } from './operators-port.ts'
import { printAnswers } from './print-answers.ts'
import { readQuery } from './query-strings.ts'
import { readBodies } from './read-bodies.ts'
import { refuseCardData } from './refuse-card-data.ts'
import { watchMethods } from './refuse-methods.ts'
import { passOnExpectations, refuseOddHeads, WITH_ODD_HEADS } from './refuse-odd-heads.ts'
import { requestIdOf } from './requests.ts'
import { requireKeys, withoutKeys } from './require-keys.ts'
import { batch, batchRoutes } from './routes/batch.ts'
import { chargeRoutes } from './routes/charge.ts'
import { customer, customerRoutes } from './routes/customer.ts'
import { deposit, depositRoutes, depositTransaction } from './routes/deposit.ts'
import { dispute, disputeRoutes, reversal } from './routes/dispute.ts'
import { event, eventRoutes } from './routes/event.ts'
import { followUpRoutes } from './routes/follow-up.ts'
import { gatewayNoticeRoutes } from './routes/gateway-notices.ts'
import { healthRoutes } from './routes/health.ts'
import { invoice, invoiceRoutes } from './routes/invoice.ts'
import { invoicePaymentRoutes } from './routes/invoice-payment.ts'
import { invoiceSendingRoutes } from './routes/invoice-sending.ts'
import { item, itemRoutes } from './routes/item.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { paymentLink, paymentLinkQrRoutes, paymentLinkRoutes } from './routes/payment-link.ts'
import { paymentLinkListRoutes } from './routes/payment-link-list.ts'
import { paymentMethod, paymentMethodRoutes } from './routes/payment-method.ts'
import { providerRoutes } from './routes/provider.ts'
import { delivery, receiptRoutes } from './routes/receipt.ts'
import { sandboxClock, sandboxClockRoutes } from './routes/sandbox-clock.ts'
import { schedule, scheduleRoutes } from './routes/schedule.ts'
import { selfRoutes } from './routes/self.ts'
import { childTransaction, transaction, transactionRoutes } from './routes/transaction.ts'
import { transactionListRoutes } from './routes/transaction-list.ts'
import { webhook, webhookRoutes, webhookSecretSchema } from './routes/webhook.ts'
import { webhookDelivery, webhookDeliveryRoutes } from './routes/webhook-delivery.ts'
import { problem } from './schema/answers.ts'
import { schemaController } from './validation.ts'

const BODY_BYTES = 1024 * 1024

/** A caller that takes longer to send its request will not send it any more. */
const REQUEST_TIMEOUT_MS = 30 * SECOND

/**
 * Longer than a load balancer keeps an idle connection, so that the balancer never finds it closed.
 */
const KEEP_ALIVE_MS = 72 * SECOND

/** Node accepts no longer paths. A text that is too long for an id is refused by its schema. */
const MOST_PARAM_CHARACTERS = 16 * 1024

const EXPOSED_HEADERS = [
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotent-Replayed',
  'Ignored-Fields',
  'Location',
  'X-Request-Id',
]

/** The schemas that the document names, in its order. */
const SCHEMAS = [
  problem,
  customer,
  paymentMethod,
  item,
  paymentLink,
  transaction,
  childTransaction,
  batch,
  deposit,
  depositTransaction,
  dispute,
  reversal,
  invoice,
  schedule,
  event,
  delivery,
  webhook,
  webhookSecretSchema,
  webhookDelivery,
  sandboxClock,
]

export type App = ReturnType<typeof openServer>

export async function buildApp(world: World): Promise<App> {
  const app = openServer(world)
  addHooks(app, world)
  const origin = world.config.corsOrigins
  await app.register(cors, {
    origin: origin === '*' ? '*' : [...origin],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    // Every OPTIONS request is answered like a preflight, rather than refused in plain text.
    strictPreflight: false,
  })
  for (const schema of SCHEMAS) app.addSchema(schema)
  await documentApi(app, world)
  await addRoutes(app, world)
  return app
}

function openServer(world: World) {
  const app = Fastify({
    loggerInstance: world.log as FastifyBaseLogger,
    // One line of ours instead of two of Fastify's.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    http: { ...WITH_ODD_HEADS, ...LOOKING_FOR_LATE },
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A connection is idle while its charge waits. After that, a caller that reads nothing is cut
    // off.
    connectionTimeout: world.config.chargeWaitMs + world.timings.stalledReaderMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // A request that arrives while the service closes is still served.
    return503OnClosing: false,
    trustProxy: world.config.trustProxy,
    genReqId: (request) => requestIdOf(request.headers) ?? world.newId(),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MOST_PARAM_CHARACTERS,
      querystringParser: readQuery,
    },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, world.newId()),
    schemaController,
  }).withTypeProvider<SchemaTypes>()

  // Node would leave out the headers after the first thousand in silence, the idempotency key of a
  // charge among them. What all of them may hold together is limited already.
  app.server.maxHeadersCount = 0

  // Answers are not validated here; tests compare them with the schemas of the document.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('isDoneByWorker', false)
  app.decorateRequest('publicAddress', { getter: () => world.publicAddress() })
  return app
}

function addHooks(app: App, world: World): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...ANSWER_RULES, 'x-request-id': request.id })
  })
  leaveDescriptors(app.server, world)
  shareTurns(app.server)
  passOnExpectations(app.server)
  refuseOddHeads(app)
  keepOperatorsApart(app, world)
  traceRequests(app, world)
  answerInTime(app, world)
  answerErrors(app, world)
  readBodies(app)
  refuseCardData(app)
  dropAbsentFields(app)
  nameIgnoredFields(app)
  limitReading(app, world)
  logAnswers(app)
  measureRequests(app, world)
  keepRequests(app, world)
  startDeliveriesAfterChanges(app, world)
  drainConnections(app, world.shutdown)
  admitRequests(app, world)
  printAnswers(app)
}

/** In the order of the document. */
async function addRoutes(app: App, world: World): Promise<void> {
  const refuseOtherMethods = watchMethods(app, world)
  requireKeys(app, world)
  await withoutKeys(app, (open) => {
    documentRoute(open)
    healthRoutes(open, world)
    metricsRoutes(open, world)
  })
  selfRoutes(app)
  customerRoutes(app, world)
  paymentMethodRoutes(app, world)
  chargeRoutes(app, world)
  transactionListRoutes(app, world)
  transactionRoutes(app, world)
  followUpRoutes(app, world)
  receiptRoutes(app, world)
  batchRoutes(app, world)
  depositRoutes(app, world)
  disputeRoutes(app, world)
  scheduleRoutes(app, world)
  invoiceRoutes(app, world)
  invoicePaymentRoutes(app, world)
  invoiceSendingRoutes(app, world)
  itemRoutes(app, world)
  eventRoutes(app, world)
  webhookRoutes(app, world)
  webhookDeliveryRoutes(app, world)
  paymentLinkRoutes(app, world)
  paymentLinkListRoutes(app, world)
  await withoutKeys(app, (open) => paymentLinkQrRoutes(open, world))
  sandboxClockRoutes(app, world)
  await withoutKeys(app, async (open) => {
    await providerRoutes(open, world)
    await gatewayNoticeRoutes(open, world)
    assetRoutes(open)
    await pageRoutes(open, world)
    await referenceRoutes(open, world)
    refuseOtherMethods(open)
    // To a stranger every path below it looks the same.
    await consoleRoutes(open, world)
  })
}

/** A request that changed something may have written deliveries that are due. */
function startDeliveriesAfterChanges(app: FastifyInstance, world: World): void {
  app.addHook('onResponse', async ({ method, caller, isDoneByWorker }) => {
    if (caller === undefined || method === 'GET' || isDoneByWorker) return
    startDueDeliveries(world, caller.accountId)
  })
}
