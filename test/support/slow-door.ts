// A server whose door opens late: until then its queue of connections is full, and the machine
// drops further ones, as if the network had lost them. A client tries again after a second.

import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

export interface SlowDoor extends AsyncDisposable {
  readonly port: number
  /** From now on it takes connections, and answers every request with 200. */
  open(): void
}

/** A thread that stands still accepts nothing. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads')
  const server = require('node:http').createServer((_request, answer) => answer.end())
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(workerData, 0, 0)
  })`

/** The system queues one more than it is asked to. */
const QUEUED = 2

export async function openSlowDoor(): Promise<SlowDoor> {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(THREAD, { eval: true, workerData: gate })
  const [port] = await once(thread, 'message')
  const before = Array.from({ length: QUEUED }, () => connect(port, '127.0.0.1'))
  await Promise.all(before.map((socket) => once(socket, 'connect')))
  function open(): void {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return {
    port,
    open,
    async [Symbol.asyncDispose]() {
      for (const socket of before) socket.destroy()
      open()
      await thread.terminate()
    },
  }
}
