import { shellWord } from '../base/shell-word.ts';

/** A command with its flags, as far as shells complete them. */
export interface Completed {
  readonly name: string;
  readonly about: string;
  /** Without the two dashes. */
  readonly flags: readonly string[];
  /** What may follow the name at once; empty: files. */
  readonly words: readonly string[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The flags that a help text names, each on a line of its own. */
export const flagsIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}--([a-z0-9-]+)/gm)].flatMap(([, name]) => name ?? []);

const dashed = (flags: readonly string[]) => flags.map((flag) => `--${flag}`).join(' ');

/** A script that makes a shell complete commands and flags; files elsewhere. */
export const completion = (shell: Shell, commands: readonly Completed[]): string => scripts[shell](commands);

const scripts: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = { bash, zsh, fish };

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, flags, words }) => `    ${name}) words=${shellWord(dashed(flags))} first=${shellWord(words.join(' '))} ;;`,
  );
  return `# eval "$(touchstone completion bash)"
_touchstone() {
  local word=\${COMP_WORDS[COMP_CWORD]} words= first=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${shellWord(commands.map(({ name }) => name).join(' '))} -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *)
      if [ "$COMP_CWORD" -eq 2 ] && [ -n "$first" ]; then
        COMPREPLY=($(compgen -W "$first" -- "$word"))
      else
        COMPREPLY=($(compgen -f -- "$word"))
      fi
      ;;
  esac
}
complete -o filenames -F _touchstone touchstone
`;
}

function zsh(commands: readonly Completed[]): string {
  const names = commands.map(({ name, about }) => `    ${shellWord(`${name}:${about.replaceAll(':', '\\:')}`)}`);
  const cases = commands.map(
    ({ name, flags, words }) => `    ${name}) words_of=(${dashed(flags)}) first=(${words.join(' ')}) ;;`,
  );
  return `#compdef touchstone
# eval "$(touchstone completion zsh)"
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_touchstone() {
  local -a commands words_of first
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case \${words[2]} in
${cases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    compadd -- $words_of
  elif (( CURRENT == 3 && $#first )); then
    compadd -- $first
  else
    _files
  fi
}
compdef _touchstone touchstone
`;
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, about, flags, words }) => [
    `complete -c touchstone -n __fish_use_subcommand -f -a ${name} -d ${shellWord(about)}`,
    ...words.map((word) => {
      const only = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
      return `complete -c touchstone -n '${only}' -f -a ${word}`;
    }),
    ...flags.map((flag) => `complete -c touchstone -n '__fish_seen_subcommand_from ${name}' -l ${flag}`),
  ]);
  return `# touchstone completion fish | source\n${lines.join('\n')}\n`;
}
