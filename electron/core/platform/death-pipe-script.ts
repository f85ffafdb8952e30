import { RUN_MARKER_NAME } from './child-environment.ts';
import { CONTAINER_MONITOR } from './proc/find-by-environment.ts';

/** How the watcher distinguishes a process from a later process with the same pid: it reads /proc, or it runs `ps`. */
type DeathPipeMode = 'proc' | 'ps';

export const deathPipeMode = (platform: NodeJS.Platform): DeathPipeMode =>
  platform === 'linux' ? 'proc' : 'ps';

/**
 * Script of the watcher; `$1` is a `DeathPipeMode`. It is plain POSIX sh, because every system has that, and uses builtins
 * where possible. It reads lines until the pipe closes:
 *
 *   + GROUP MARKER LIMIT PID:START …   current state of a run; replaces the earlier state of the group
 *   = GROUP COMMAND                    command line that ends the container of the run; comes behind its state
 *   - GROUP                            the run is over
 *   quit                               the panel exits and ends its servers itself: nothing to do
 *
 * A pipe that closes without `quit` means that the panel died. The rest of its runs then gets SIGTERM and, two seconds
 * later, SIGKILL: a group only while a recorded member lives in it, a pid only if its start time matches. Last come unrecorded
 * processes that left their group, identified by the marker in their environment or limits (Linux only). Processes in a
 * container are left to its engine, which the commands ask for at the very end.
 */
export const deathPipeScript = `
trap '' HUP INT QUIT TERM PIPE
set -f
mode=$1
groups=' '

while read -r word group rest; do
  case $word in
    quit) exit 0 ;;
    [-+=]) ;;
    *) continue ;;
  esac
  case $group in '' | *[!0-9]*) continue ;; esac
  if [ "$word" = = ]; then
    eval "command_$group=\\$rest"
    continue
  fi
  case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac
  if [ "$word" = + ]; then
    groups="$groups$group "
    eval "run_$group=\\$rest"
  else
    unset "run_$group" "command_$group"
  fi
done

# Sets state, in_group and start of process $1, and by /proc its name and parent; fails when there is no such process, or a dead one.
look() {
  if [ "$mode" = proc ]; then
    stat=
    # Line by line: a program may have a newline in its name.
    { while IFS= read -r line || [ -n "$line" ]; do stat="$stat $line"; done; } < "/proc/$1/stat" || return 1
    name=\${stat#*'('}
    name=\${name%') '*}
    set -- \${stat##*') '}
    [ $# -ge 20 ] || return 1
    state=$1 parent=$2 in_group=$3 start=\${20}
  else
    set -- $(ps -o stat= -o pgid= -o lstart= -p "$1")
    [ $# -ge 3 ] || return 1
    state=$1 in_group=$2 start=$3
    shift 3
    for word; do start="\${start}_$word"; done
  fi
  case $state in [ZX]*) return 1 ;; esac
}

# Sends $signal to $1, a pid or the negative of a group.
send() {
  sent="$sent$1 "
  [ "$signal" = none ] || kill -s "$signal" -- "$1"
}

# Whether process $1 is the monitor of a container, or below one that bears a mark as well: both are their engine's.
in_container() {
  set -- "$1" 0
  while look "$1" && [ "$2" -lt 100 ]; do
    [ "$name" = ${CONTAINER_MONITOR} ] && return 0
    case $marked in *" $parent "*) ;; *) return 1 ;; esac
    set -- "$parent" $(($2 + 1))
  done
  return 1
}

# Adds one to left for each living member $2 … of group $1, and signals it: with its group, or alone outside it.
sweep_run() {
  this_group=$1 is_ours=
  shift
  for member; do
    look "\${member%%:*}" || continue
    [ "$start" = "\${member#*:}" ] || continue
    left=$((left + 1))
    if [ "$in_group" = "$this_group" ]; then is_ours=yes; else send "\${member%%:*}"; fi
  done
  [ -z "$is_ours" ] || send "-$this_group"
}

# Sends $1 to all that is left of the runs, or nothing for 'none'. Sets left to how many there are, at least.
sweep() {
  signal=$1 left=0 patterns= limits= sent=' '
  for group in $groups; do
    eval "run=\\$run_$group"
    patterns="$patterns -e ${RUN_MARKER_NAME}=\${run%% *}"
    run=\${run#* }
    limits="$limits|\${run%% *}"
    case $run in *' '*) sweep_run "$group" \${run#* } ;; esac
  done
  [ "$mode" = proc ] || return 0
  marked=' '
  for file in $(
    set +f
    grep -lzxF $patterns /proc/[0-9]*/environ
    grep -lE "^Max realtime timeout +(\${limits#?}) " /proc/[0-9]*/limits
  ); do
    pid=\${file#/proc/}
    marked="$marked\${pid%/*} "
  done
  for pid in $marked; do
    in_container "$pid" && continue
    look "$pid" || continue
    left=$((left + 1))
    # Once is enough: many servers take a second SIGTERM for impatience.
    case $sent in *" $pid "* | *" -$in_group "*) ;; *) send "$pid" ;; esac
  done
}

# Where no marker tells: everyone in a group of ours belongs to it, also once its recorded members are gone.
record_groups() {
  set -- $(ps -A -o pid= -o pgid=)
  while [ $# -ge 2 ]; do
    case $sent in *" -$2 "*) look "$1" && eval "run_$2=\\"\\$run_$2 $1:\\$start\\"" ;; esac
    shift 2
  done
}

# Ends the containers, all at once.
end_containers() {
  for group in $groups; do
    eval "command=\\\${command_$group-}"
    [ -z "$command" ] || (eval "$command") &
  done
  wait
}

[ "$groups" = ' ' ] && exit 0
trap end_containers EXIT
sweep none
[ "$mode" = proc ] || record_groups
sweep TERM
for second in 1 2; do
  [ "$left" = 0 ] && exit 0
  sleep 1
  sweep none
done
for attempt in 1 2 3 4; do
  [ "$left" = 0 ] && exit 0
  sweep KILL
  sleep 1
done
`;
