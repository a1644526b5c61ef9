// The routes that the intake really has, whether or not its document tells of them.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { type App, buildApp } from '../../src/http/app.ts'
import type { World } from '../../src/world.ts'

/** Fastify tells of every instance here, before it has any route. */
const BIRTHS = 'fastify.initialization'

/**
 * As the document writes them, `GET /transaction/{id}`; without the pages at /docs, and without
 * those that are only there to refuse a method.
 */
export async function routesOf(world: World): Promise<readonly string[]> {
  const routes = new Map<string, { readonly method: HTTPMethods; readonly url: string }>()
  const watch = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method: methods, url }) => {
      for (const method of [methods].flat() as HTTPMethods[]) {
        routes.set(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`, { method, url })
      }
    })
  }
  subscribe(BIRTHS, watch)
  const app = await buildApp(world)
  unsubscribe(BIRTHS, watch)
  const names: string[] = []
  for (const [name, { method, url }] of routes) {
    const isPage = url.startsWith('/docs') || method === 'HEAD' || url === '*'
    if (!isPage && (await isAnswered(app, method, url))) names.push(name)
  }
  await app.close()
  return names
}

async function isAnswered(app: App, method: HTTPMethods, url: string): Promise<boolean> {
  const { statusCode } = await app.inject({ method: method as 'GET', url })
  return statusCode !== 405
}
