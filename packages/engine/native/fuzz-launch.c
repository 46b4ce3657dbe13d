/*
 * Feeds damaged launch files to the parser of weft-exec. Built with the sanitizers of the compiler, which end it at the first
 * error. `fuzz-launch SEED COUNT` prints how many of COUNT files were accepted. Started by packages/tooling/fuzz-launcher.mjs.
 */
#define WITHOUT_MAIN
#include "weft-exec.c"

static unsigned long long state;
static unsigned below(unsigned most) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)((state >> 11) % most);
}

static const char SAMPLE[] =
    "workdir=/w\0in=/dev/null\0out=/o\0err=/e\0named_in=/i\0named_out=/n\0named_err=/n\0stamp=4611686018427387905\0"
    "cgroup=/sys/fs/cgroup/x\0files=4096\0processes=99\0keyring=new\0launch=3\0open=4 /filter\0via=bwrap\0via=--\0"
    "env=PATH=/bin\0env=A=\0arg=echo\0arg=a b\0end=";
static const char *WORDS[] = {
    "arg=", "env=", "via=", "open=", "launch=", "stamp=", "end=", "keyring=", "=", "/", "18446744073709551615",
    "18446744073709551616", "-1", "64", "99999999999999999999999", "=\n", "workdir", "\xff\xfe",
};

/* Changes up to eight places; the room for it is four times the sample. */
static size_t damage(char *text, size_t size) {
  for (unsigned changes = below(8); changes > 0; changes--) {
    size_t at = size == 0 ? 0 : below((unsigned)size), length = size == 0 ? 0 : below((unsigned)(size - at) + 1);
    const char *word = WORDS[below(sizeof WORDS / sizeof *WORDS)];
    switch (below(6)) {
      case 0: if (size > 0) text[at] = (char)below(256); break;
      case 1: if (size > 0) text[at] = '\0'; break;
      case 2: memmove(text + at, text + at + length, size - at - length), size -= length; break;
      case 3: size = at; break;
      case 4: if (size + length < 3 * sizeof SAMPLE) memmove(text + at + length, text + at, size - at), size += length; break;
      default:
        if (size + strlen(word) >= 3 * sizeof SAMPLE) break;
        memmove(text + at + strlen(word), text + at, size - at);
        memcpy(text + at, word, strlen(word));
        size += strlen(word);
    }
  }
  return size;
}

static void check_text(const struct launch *job, size_t size, const char *value) {
  if (value && (value < job->text || value + strlen(value) > job->text + size)) abort();
}

static void check(const struct launch *job, size_t size) {
  const char *texts[] = {job->workdir, job->in, job->out, job->err, job->named_in, job->named_out, job->named_err, job->cgroup};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_text(job, size, texts[i]);
  char **lists[] = {job->args, job->env, job->via, job->open};
  for (size_t i = 0; i < 4; i++)
    for (char **each = lists[i]; *each; each++) check_text(job, size, *each);
  if (job->args[0] == NULL || job->launch_at >= FIRST_FREE || (job->launch_at < 3 && job->launch_at != -1)) abort();
}

int main(int count, char **words) {
  unsigned long long files = count == 3 ? strtoull(words[2], NULL, 10) : 0, accepted = 0;
  state = (count == 3 ? strtoull(words[1], NULL, 10) : 0) * 2654435769u + 88172645463325252u;
  for (unsigned long long i = 0; i < files; i++) {
    char text[4 * sizeof SAMPLE];
    memcpy(text, SAMPLE, sizeof SAMPLE);
    size_t size = damage(text, sizeof SAMPLE);
    /* Of exactly this size, so that the sanitizer sees every access beyond its end. */
    char *copy = malloc(size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    struct launch job;
    if (parse_launch(copy, size, &job)) check(&job, size), accepted++;
    free(job.args);
    free(copy);
  }
  printf("%llu of %llu accepted\n", accepted, files);
  return 0;
}
