// Measures how long this process serves nothing else.

/** The longest time without a turn for anything else, of this process's own CPU time. */
export function watchBlocking() {
  let longest = 0
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1_000)
    last = process.cpuUsage()
  }
  let isOver = false
  const turn = () => {
    look()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    end() {
      look()
      isOver = true
      return longest
    },
  }
}
