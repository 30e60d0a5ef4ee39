//! The page in a browser: is everything there that it says is there?

use super::made_up::report;
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// Looks at every figure. Of a series it counts the corners of its lines, its marks and its bars, by its
/// colour and within the picture; other things in a figure have other colours.
const SCRIPT: &str = r##"<script>
const inside = (svg, x, y) => {
  const [, , w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
  return x >= 0 && y >= 0 && x <= w && y <= h;
};
const same = (a, b) => (a || "").toUpperCase() === b;
const figures = [...document.querySelectorAll("figure")].map(figure => {
  const svg = figure.querySelector(".plot > svg");
  const box = svg.getBoundingClientRect();
  const series = [...figure.querySelectorAll(".legend li")].map(li => {
    const colour = li.dataset.colour;
    let corners = 0, marks = 0;
    for (const e of svg.querySelectorAll("polyline, circle, polygon, rect")) {
      const own = e.tagName === "polyline" ? e.getAttribute("stroke") : e.getAttribute("fill");
      const opacity = Number(e.getAttribute("opacity") ?? 1);
      if (!same(own, colour) || opacity < 1) continue;
      const b = e.getBBox();
      if (e.tagName === "polyline") {
        const points = e.getAttribute("points").trim().split(/\s+/).map(p => p.split(",").map(Number));
        corners += points.filter(([x, y]) => inside(svg, x, y)).length;
      } else if ((b.width > 0 || b.height > 0) && inside(svg, b.x, b.y)) {
        marks += 1;
      }
    }
    return { points: Number(li.dataset.points), corners, marks };
  });
  const labels = [...svg.querySelectorAll("text")].filter(t => t.getBBox().width > 0).length;
  return { width: box.width, height: box.height, labels, caption: figure.querySelector("figcaption").innerText.length, series };
});
const out = document.createElement("pre");
out.id = "looked-at";
out.textContent = JSON.stringify(figures);
document.body.append(out);
</script>"##;

#[derive(Deserialize)]
struct Seen {
    width: f64,
    height: f64,
    labels: usize,
    caption: usize,
    series: Vec<SeenSeries>,
}

#[derive(Deserialize)]
struct SeenSeries {
    points: usize,
    corners: usize,
    marks: usize,
}

/// The page as the browser has it when all is drawn.
fn browse(folder: &Path, page: &str) -> String {
    let file = folder.join("page.html");
    std::fs::write(&file, page).unwrap();
    let done = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1500,1000",
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(["--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap_or_else(|e| panic!("chromium cannot be started: {e}; tools/setup.sh installs it"));
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "chromium: {}\n{errors}", done.status);
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn every_figure_of_the_headline_is_drawn_in_a_browser_with_all_points_of_all_series() {
    let report = report("headline", &[]);
    let page = report.html().unwrap();
    let wanted = page.matches("<figure>").count();
    assert!(wanted >= 20, "{wanted} figures");
    let folder = tempfile::tempdir().unwrap();
    let seen = browse(folder.path(), &page.replace("</body>", &format!("{SCRIPT}</body>")));
    let json = seen.split_once("<pre id=\"looked-at\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let figures: Vec<Seen> = serde_json::from_str(json.expect("the script ran").0).unwrap();
    assert_eq!(figures.len(), wanted);
    let mut series = 0;
    for (n, figure) in figures.iter().enumerate() {
        assert!(
            figure.width > 300.0 && figure.height > 150.0,
            "figure {n}: {} x {}",
            figure.width,
            figure.height
        );
        // Both axes have a name and two labels or more.
        assert!(figure.labels >= 5 && figure.caption > 20 && !figure.series.is_empty(), "figure {n}");
        for (s, one) in figure.series.iter().enumerate() {
            let SeenSeries { points, corners, marks } = *one;
            assert!(
                points > 0 && corners.max(marks) >= points,
                "figure {n}, series {s}: {corners}, {marks} of {points}"
            );
            series += 1;
        }
    }
    assert!(series > 60, "{series} series");
}

#[test]
fn a_series_that_is_not_drawn_is_noticed() {
    let page = report("planes", &[]).html().unwrap();
    let without = page.replacen("<polyline fill=\"none\" opacity=\"1\" stroke=\"#0072B2\"", "<g ", 1);
    assert_ne!(page, without);
    let without = without.split("<circle").next().unwrap().to_owned() + "</svg></div></figure></body></html>";
    let folder = tempfile::tempdir().unwrap();
    let seen = browse(folder.path(), &without.replace("</body>", &format!("{SCRIPT}</body>")));
    let json = seen.split_once("<pre id=\"looked-at\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    // The caption is gone with the rest: the script stops, and says nothing.
    assert!(json.is_none());
}
