// The output may end before the command: a reader such as `head` leaves early, a disk is full.

/** Without a listener, Node would print a stack and end the process at once. */
export function watchOutput(): void {
  let isReported = false
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader has what it wanted. The command goes on to its end, with the status due.
    if (code === 'EPIPE' || isReported) return
    isReported = true
    process.stderr.write(`lamplighter: the output could not be written: ${message}\n`)
    process.once('exit', () => {
      process.exitCode = 1
    })
  })
  process.stderr.on('error', () => {}) // there is nowhere left to report it
}
