// Lists payment links by a query string or by a body. Existing clients also create links at this
// path; a body with link_meta is a creation.

import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { createLink } from '../../links/create-link.ts'
import { LINKS, PAYMENT_LINK } from '../../links/link.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { ifSent, isFlagSet, onlySent, openCentsOf } from '../../resource/read-values.ts'
import { flag, meta, openAmount, queryFlag, text } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { answerListPage, askedPage } from '../list-pages.ts'
import { requestContextOf } from '../requests.ts'
import { IGNORED, keywordsFilter, listQuery, listSchema, MOST_KEYWORDS } from '../schema/list.ts'
import { answerOnce } from './answer-once.ts'
import { doneFields, newPaymentLink, paymentLink } from './payment-link.ts'
import type { RouteApp } from './route-app.ts'

const SORTS = Object.keys(LINKS.sorts) as (keyof typeof LINKS.sorts)[]

const AMOUNT = 'Exactly this amount; 0 finds links without one.'
const NAME = 'An exact match, ignoring case.'
const KEYWORD = 'Text in the name, or in the memo of link_meta.'

const filters = {
  amount: Type.Optional(openAmount(AMOUNT)),
  common_name: Type.Optional(text(NAME)),
}

const linkQuery = listQuery(LINKS.sorts, {
  ...filters,
  active: Type.Optional(queryFlag('Only active links, or only inactive ones.')),
  keywords: keywordsFilter(KEYWORD),
  ...IGNORED,
})

const whole = (kind: 'page_number' | 'page_size', description: string) =>
  Type.Optional(
    Type.Unsafe<number | string>({ 'x-kind': kind, type: ['integer', 'string'], description }),
  )

/**
 * The same fields in a body. JSON has types, but some clients send text. A field that is not known
 * is refused, as in an address: a misspelt filter must not list everything.
 */
const queryFields = {
  page: whole('page_number', '1 when absent.'),
  limit: whole('page_size', '1 to 200; 50 when absent.'),
  per_page: whole('page_size', 'The same as limit.'),
  sort: Type.Optional(Type.Enum(SORTS)),
  order: linkQuery.properties.order,
  ...filters,
  active: Type.Optional(flag('Only active links, or only inactive ones.')),
  keywords: Type.Optional(
    Type.Unsafe<string | string[]>({
      'x-kind': 'keywords',
      type: ['string', 'array'],
      minLength: 1,
      items: text(KEYWORD),
      maxItems: MOST_KEYWORDS,
      description: 'One text, or a list of texts that must all be found.',
    }),
  ),
  user_id: IGNORED.user_id,
  meta: Type.Optional({ ...meta, description: 'No filter; accepted.' }),
  url: Type.Optional(
    Type.Unsafe<unknown>({
      'x-kind': 'of_creation',
      description: 'Refused: a body that creates a link has link_meta.',
    }),
  ),
}

const linkQueryBody = Type.Object(queryFields, { additionalProperties: false })

type LinkQueryBody = Static<typeof linkQueryBody>
type NewPaymentLink = Static<typeof newPaymentLink>

const linkQueryOrCreation = Type.Unsafe<LinkQueryBody | NewPaymentLink>({
  type: 'object',
  description: 'With `link_meta` the body creates a payment link; without it, it is a query.',
  if: { properties: { link_meta: {} }, required: ['link_meta'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: newPaymentLink,
  else: linkQueryBody,
  examples: [{ active: true, keywords: 'coffee', sort: 'amount', order: 'ASC' }],
})

const paymentLinkMade = Type.Object({
  ...doneFields,
  body: Type.Unsafe<object>({ $ref: 'PaymentLink#' }),
})

const PATH = '/query/payment-links'

type Sent = Static<typeof linkQuery>

/** The parameters come from the query string or from the body. */
type Query = { readonly [K in keyof Sent]?: Sent[K] | LinkQueryBody[K] | undefined }

/** In the addresses of other pages. */
const FIELDS = Object.keys(linkQuery.properties).filter(
  (name) => !Object.hasOwn(IGNORED, name),
) as (keyof typeof linkQuery.properties)[]

export function paymentLinkListRoutes(app: RouteApp, world: World): void {
  const tags = ['Payment links']
  const list = listSchema(paymentLink)

  app.get(
    PATH,
    {
      schema: {
        summary: 'List payment links',
        operationId: 'listPaymentLinks',
        description: 'Active and inactive links. Deleted ones are left out.',
        tags,
        querystring: linkQuery,
        response: { 200: list },
      },
    },
    (request) => page(world, request, request.query),
  )

  app.post(
    PATH,
    {
      schema: {
        summary: 'Query payment links, or create one',
        operationId: 'queryPaymentLinks',
        description:
          'A body with `link_meta` creates a link and is answered with it, wrapped; every other body is a query and is answered with a list; a field that is no filter is refused. The page addresses of that list hold the whole query: they can be requested by GET, or by POST with the same body, because the page of an address overrides that of the body. Other fields may be sent twice with one value only.',
        tags,
        querystring: linkQuery,
        body: linkQueryOrCreation,
        response: { 200: { anyOf: [list, paymentLinkMade] } },
      },
    },
    async (request, reply) => {
      const { body, query } = request
      if (!isCreation(body)) {
        refuseContradiction(body, query)
        return page(world, request, { ...body, ...query })
      }
      refuseQuery(query)
      const made = await createLink(
        world,
        requestContextOf(request, body.idempotency_id),
        PAYMENT_LINK.readCreation(body),
      )
      return answerOnce(reply, { ...made, body: wrapped(made.body) })
    },
  )
}

function isCreation(body: NewPaymentLink | LinkQueryBody): body is NewPaymentLink {
  return 'link_meta' in body
}

/** A creation takes no query parameters. */
function refuseQuery(query: object): void {
  const names = Object.keys(query)
  if (names.length === 0) return
  const faults = Object.fromEntries(names.map((name) => [name, ['is not known']]))
  throw new Refusal('invalid_request', { faults })
}

/** The address of another page holds the whole query, so only the page may differ from the body. */
function refuseContradiction(body: Query, query: Query): void {
  const [sent, asked] = [meaningOf(body), meaningOf(query)]
  const names = FIELDS.filter(
    (name) =>
      name !== 'page' &&
      body[name] !== undefined &&
      query[name] !== undefined &&
      !isDeepStrictEqual(sent[name], asked[name]),
  )
  if (names.length === 0) return
  const fault = 'is not the same in the address and in the body'
  const faults = Object.fromEntries(names.map((name) => [name, [fault]]))
  throw new Refusal('invalid_request', { faults })
}

/** What has JSON types in a body is text in an address. */
function meaningOf(query: Query): Readonly<Record<string, unknown>> {
  const { order } = askedPage(numbered(query))
  return { ...numbered(query), ...filtersOf(query), order }
}

/** A function of the link's text, so that a repeat gets the same answer. */
function wrapped(link: string): string {
  return `{"status":200,"message":"the payment link is created","body":${link}}`
}

async function page(world: World, asked: FastifyRequest, query: Query) {
  const { publicAddress, caller, reading } = asked
  const request = { publicAddress, caller, reading, url: `${PATH}?${asAddress(query)}` }
  return answerListPage(world, request, LINKS, { ...numbered(query), ...filtersOf(query) })
}

function filtersOf(query: Query) {
  return {
    active: ifSent(query.active, isFlagSet),
    amount: ifSent(query.amount, openCentsOf),
    common_name: query.common_name,
    keywords: [query.keywords ?? []].flat(),
  }
}

function numbered({ page, limit, per_page, sort, order }: Query) {
  return onlySent({
    page: ifSent(page, Number),
    limit: ifSent(limit, Number),
    per_page: ifSent(per_page, Number),
    sort,
    order,
  })
}

function asAddress(query: Query): URLSearchParams {
  const sent = FIELDS.flatMap((name) =>
    [query[name] ?? []].flat().map((value): [string, string] => [name, String(value)]),
  )
  return new URLSearchParams(sent)
}
