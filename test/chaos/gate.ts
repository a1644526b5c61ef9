// A port that stays while the server behind it comes and goes. While the gate is shut connections
// are refused, as by a server that is down.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface Gate {
  readonly port: number
  /** Lets connections through to that port. */
  open(target: number): Promise<void>
  /** Cuts every connection. */
  shut(): Promise<void>
}

export async function buildGate(): Promise<Gate> {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  const port = await freePort()

  function keep(socket: Socket, other: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {}) // its end is told by `close`
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }

  return {
    port,
    async open(target) {
      server = createServer({ noDelay: true }, (inside) => {
        const outside = connect({ port: target, host: '127.0.0.1', noDelay: true })
        keep(inside, outside)
        keep(outside, inside)
        inside.pipe(outside).pipe(inside)
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async shut() {
      const closing = server === undefined ? undefined : once(server, 'close')
      server?.close()
      server = undefined
      for (const socket of sockets) socket.destroy()
      await closing
    },
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
