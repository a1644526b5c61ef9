// A complete endpoint. POST /webhook returned WEBHOOK_SECRET; PORT is the port to listen on.

import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const known = new Set() // yours is a table with a unique key: it must outlive the process

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  const { 'webhook-id': id, 'event-name': name, 'event-sequence': sequence } = request.headers
  try {
    const resource = webhook.verify(body, request.headers)
    if (!known.has(id)) console.log(`${name} ${resource.id} ${sequence}`)
    known.add(id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
}).listen(process.env.PORT, () => console.log('ready'))
