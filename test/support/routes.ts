// The actual routes of the API server, whether or not its document lists them.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { type App, buildApp } from '../../src/http/app.ts'
import type { World } from '../../src/world.ts'

/** Pages for browsers have tests of their own. */
const PAGES =
  /^\/$|^\/(docs|admin|assets|bill|look|unsubscribe|sandbox-gateway)(\/|$)|^\/pay\/(?!.*\/qr)/

/** Fastify publishes every instance here, before it has any route. */
const BIRTHS = 'fastify.initialization'

export interface Route {
  readonly method: HTTPMethods
  /** In Fastify's form, `/transaction/:id`. */
  readonly url: string
}

/**
 * In the document's form, `GET /transaction/{id}`; without the pages for browsers, and without
 * those that only refuse a method.
 */
export async function routesOf(world: World): Promise<readonly string[]> {
  const { app, routes } = await withRoutes(world)
  const names: string[] = []
  for (const { method, url } of routes) {
    const isPage = PAGES.test(url) || method === 'HEAD' || url === '*'
    if (isPage || !(await isAnswered(app, method, url))) continue
    names.push(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
  }
  await app.close()
  return names
}

/** The routes of the console in Fastify's form, whatever they answer. */
export async function consoleRoutesOf(world: World): Promise<readonly Route[]> {
  const { app, routes } = await withRoutes(world)
  await app.close()
  return routes.filter(({ url }) => /^\/admin(\/|$)/.test(url))
}

async function withRoutes(world: World): Promise<{ app: App; routes: readonly Route[] }> {
  const routes = new Map<string, Route>()
  const watch = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method: methods, url }) => {
      for (const method of [methods].flat() as HTTPMethods[]) {
        routes.set(`${method} ${url}`, { method, url })
      }
    })
  }
  subscribe(BIRTHS, watch)
  const app = await buildApp(world)
  unsubscribe(BIRTHS, watch)
  return { app, routes: [...routes.values()] }
}

async function isAnswered(app: App, method: HTTPMethods, url: string): Promise<boolean> {
  const { statusCode } = await app.inject({ method: method as 'GET', url })
  return statusCode !== 405
}
