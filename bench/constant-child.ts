// The same Fastify, answering a constant: the cost of a read without any work.

import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { answerParent } from './child.ts'

/** The input is the body of every answer. Returns the address. */
answerParent(async (body: object): Promise<string> => {
  const app = Fastify({
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
  })
  app.setSerializerCompiler(() => JSON.stringify)
  app.get('/*', { schema: { response: { 200: {} } } }, () => body)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
