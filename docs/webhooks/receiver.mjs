// A complete endpoint. POST /webhook returned WEBHOOK_SECRET; PORT is the port to listen on.

import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env
if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(WEBHOOK_SECRET)) {
  console.error('Set WEBHOOK_SECRET to the secret that POST /webhook returned: whsec_ and base64.')
  process.exit(1)
}

const webhook = new Webhook(WEBHOOK_SECRET)
const known = new Set() // yours is a table with a unique key: it must outlive the process

const server = createServer(async (request, response) => {
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
})
server.on('error', ({ message }) => {
  console.error(message)
  process.exit(1)
})
server.listen(Number(PORT), () => console.log('ready'))
