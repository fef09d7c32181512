/* rotated.c: the rotary embedding that turns A into B. */
#include <stdio.h>
#include <string.h>

#include "compare/identified.h"
#include "identify/before.h"
#include "identify/budget.h"

/* What a rotation by the command says about a port. */
static const char *mistake(const char *command)
{
	if (strstr(command, " --step 2 "))
		return "B is A rotated by twice the angles, as if one of them "
		       "were rotated in the opposite direction";
	if (strstr(command, " --reversed"))
		return "B is A rotated back, as if B were not rotated";
	return "B is A rotated";
}

/* The command that a report names. */
static const char *command_of(const struct report *r)
{
	const struct fact *f = r->facts;

	while (strcmp(f->name, "command") != 0)
		f++;
	return f->text;
}

bool explain_rotated(const struct comparison *c, struct report *r,
		     char text[SENTENCE])
{
	struct report rotation = { .owner = r->owner, .err = r->err };
	const char *command;

	if (!c->shaped || !small_tables(c) ||
	    !before_measurable(c->a) || !before_measurable(c->b) ||
	    !before_report(c->a, c->b, SEARCH_SECONDS, &rotation, r->err) ||
	    rotation.no)
		return false;
	command = command_of(&rotation);
	snprintf(text, SENTENCE, "%s: ", mistake(command));
	snprintf(text + strlen(text), SENTENCE - strlen(text), "%s",
		 strchr(rotation.headline, '\''));
	report_group(r, "commands");
	report_text(r, "B_of_A", "%s", command);
	return true;
}
