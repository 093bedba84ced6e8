import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Hears one line for each process that leads a group and begins (`+ID`) or has ended (`-ID`), and for each folder
 * (`/PATH`). Its input ends with whoever tells it, however that comes to its end.
 */
const script = `
while IFS= read -r line; do
  case $line in
    +*) groups="$groups \${line#+}" ;;
    -*) left=
        for group in $groups; do [ "$group" = "\${line#-}" ] || left="$left $group"; done
        groups=$left ;;
    /*) set -- "$@" "$line" ;;
  esac
done
for group in $groups; do kill -KILL "-$group"; done
rm -rf -- "$@"
`;

let guard: ChildProcess | undefined;

/** What a process that is killed at once cannot clear away itself, one that outlives it does: a shell, no second Node. */
function tell(line: string): void {
  guard ??= begin();
  guard.stdin?.write(`${line}\n`);
}

function begin(): ChildProcess {
  // In a group of its own no Ctrl-C ends it before us.
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as typeof child.stdin & { unref(): void }).unref();
  return child;
}

/** When this process is no more, the group that this one leads is ended, too, until it was released. */
export const guardGroup = (pid: number): void => tell(`+${pid}`);

export const releaseGroup = (pid: number): void => tell(`-${pid}`);

/** When this process is no more, nor is the folder. @param path absolute, of one line */
export const guardFolder = (path: string): void => tell(path);
