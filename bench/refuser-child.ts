// A server that refuses everything at once and does no other work: the least cost of a crowd.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'

const BODY = JSON.stringify({ error: { code: 'overloaded', message: 'Too much is asked for' } })

/** As for the service: a crowd arrives faster than Node accepts it. */
const BACKLOG = 4_096

/** Returns the address. */
answerParent(async (): Promise<string> => {
  const server = createServer((_request, reply) => {
    reply.writeHead(503, { 'content-type': 'application/json', 'content-length': BODY.length })
    reply.end(BODY)
  })
  await new Promise<void>((resolve) =>
    server.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG }, resolve),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
