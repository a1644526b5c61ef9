// The reference of the API at /docs, made of the OpenAPI document. A page is made at its first
// request, because a start must be quick, and kept: the document does not change meanwhile.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { Refusal } from '../core/errors.ts'
import { keepBrowserRules } from '../web/browser-rules.ts'
import { answerHtml, htmlOf, wantsPage } from '../web/html.ts'
import type { World } from '../world.ts'
import type { ShownDocument } from './document.ts'
import { type Outline, outlineOf, PageOutline, ROOT } from './outline.ts'
import { IntroductionPage, NoPage, OperationsPage } from './pages.tsx'

/** A browser checks each time whether its copy is current, and so shows a new version at once. */
const ASK_EACH_TIME = 'no-cache'

interface KeptPage {
  readonly text: string
  readonly etag: string
}

export async function referenceRoutes(app: FastifyInstance, world: World): Promise<void> {
  let outline: Outline | undefined
  const outlined = () => {
    outline ??= outlineOf(app.swagger() as unknown as ShownDocument, world.publicAddress())
    return outline
  }
  const kept = new Map<string, KeptPage>()
  const keep = (slug: string): KeptPage | undefined => {
    const known = kept.get(slug)
    if (known !== undefined) return known
    const page = pageOf(outlined(), slug)
    if (page === undefined) return undefined
    const text = htmlOf(outlinedPage(outlined(), page))
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    kept.set(slug, { text, etag })
    return kept.get(slug)
  }
  await app.register(async (own) => {
    keepBrowserRules(own)
    // Other programs know the document by the addresses of the page that was here before.
    own.get(`${ROOT}/json`, () => app.swagger())
    own.get<{ Params: { slug?: string } }>(`${ROOT}/:slug?`, (request, reply) => {
      const page = keep(request.params.slug ?? '')
      if (page !== undefined) return answerKept(request, reply, page)
      if (!wantsPage(request)) throw new Refusal('not_found')
      return answerHtml(reply, outlinedPage(outlined(), <NoPage />), 404)
    })
  })
}

function outlinedPage(outline: Outline, page: VNode): VNode {
  return <PageOutline.Provider value={outline}>{page}</PageOutline.Provider>
}

function pageOf(outline: Outline, slug: string): VNode | undefined {
  if (slug === '') return <IntroductionPage />
  const tag = outline.tags.find((one) => one.slug === slug)
  return tag === undefined ? undefined : <OperationsPage tag={tag} />
}

function answerKept(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { text, etag }: KeptPage,
): FastifyReply {
  reply.header('cache-control', ASK_EACH_TIME).header('etag', etag)
  // A proxy that compresses the page marks its copy as weak.
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim())
  if (known.some((one) => one === '*' || one.replace(/^W\//, '') === etag)) {
    return reply.code(304).send()
  }
  return reply.type('text/html; charset=utf-8').serializer(String).send(text)
}
