/* Stands for electron.exe where a package is only looked at: it holds the fuses of Electron 45 and does nothing. */
#include <stdio.h>

/* Sentinel by which the fuses are found, version of the wire, number of fuses, and their states. */
__attribute__((used)) static const char fuse_wire[] =
    "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX"
    "\x01\x09"
    "101100010";

int main(int argc, char **argv)
{
    (void)argv;
    /* An index that is not known before it runs keeps the wire in the file. */
    return printf("%c", fuse_wire[argc]) < 0;
}
