// `npm run check`: every `check:…` of package.json, as many at the same time as there are cores, since
// most of them keep only one busy. What a check says is shown when it has ended, so that reports do
// not mix.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import packageJson from '../package.json' with { type: 'json' }

const names = Object.keys(packageJson.scripts).filter((name) => name.startsWith('check:'))
await Promise.all(Array.from({ length: availableParallelism() }, checkAll))

async function checkAll(): Promise<void> {
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (!(await check(name))) process.exitCode = 1
  }
}

async function check(name: string): Promise<boolean> {
  const startedMs = performance.now()
  const child = spawn(`npm run --silent ${name} 2>&1`, {
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(`${said}${code === 0 ? 'passed' : 'FAILED'}: ${name} (${seconds} s)`)
  return code === 0
}
